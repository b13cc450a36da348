// Signing in and out: nothing is shown or queried without a key, the key is stored in the tab alone, and it gives
// access only to what its roles allow.
import { expect, it } from 'vitest'
import { openViewer, stage } from './viewer.ts'

const { scene } = stage
const REFUSED = /status of 40[13]/

it('shows and requests nothing before the sign-in, and refuses an invalid key', async () => {
  await using viewer = await openViewer({ expected: REFUSED })
  const { page } = viewer
  await page.goto(`${stage.url}/console#/accounts/${scene.account.offchainId}`)
  await page.getByLabel('API key').waitFor()
  expect(await page.locator('nav, table, header').count()).toBe(0)
  expect(viewer.asked).toEqual([])
  await page.getByLabel('API key').fill('hf_nobody_nothing')
  await page.keyboard.press('Enter')
  await page.getByText('This API key is not valid.').waitFor()
  expect(await page.locator('nav, table, header').count()).toBe(0)
  expect(viewer.asked.map(({ path }) => path)).toEqual(['/api/v1/whoami'])
  expect(viewer.offences).toEqual([])
})

it('keeps the key in the tab only, over a reload, until the sign-out', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const storedText = await page.evaluate<string>(
    'JSON.stringify([localStorage, document.cookie, location.href, document.documentElement.outerHTML])',
  )
  expect(storedText).not.toContain(stage.apiKey)
  const summary = page.locator('.identity summary')
  await summary.click()
  for (const word of ['PLATFORM_ADMIN', 'ACCOUNTS_READ']) await page.getByText(word).first().waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  expect(await page.locator('nav, table, header').count()).toBe(0)
  await page.reload()
  await page.getByLabel('API key').waitFor()
  expect(viewer.offences).toEqual([])
})

it('ends when the service no longer accepts the key', async () => {
  await using viewer = await openViewer({ expected: REFUSED })
  const { page } = viewer
  const admin = async (path: string, itemData: object, method = 'POST'): Promise<unknown> => {
    const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
    return await (
      await fetch(`${stage.url}/api/v1/admin${path}`, { method, headers, body: JSON.stringify({ itemData }) })
    ).json()
  }
  const { keyId, apiKey } = (await admin('/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'brief',
    bundle: 'VIEWER',
  })) as {
    keyId: string
    apiKey: string
  }
  await viewer.signIn(apiKey)
  await admin('/api-keys/disable', { keyId }, 'PATCH')
  await page.goto(`${stage.url}/console#/accounts`)
  await page.getByText('The service no longer accepts this key.').waitFor()
  expect(await page.locator('nav, table').count()).toBe(0)
  expect(viewer.offences).toEqual([])
})

it('hides from a key with few roles the data and actions of the others', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn(scene.accountsOnly)
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
    'Overview',
    'Accounts',
    'Counterparties',
  ])
  for (const hash of [
    'transactions',
    `transactions/${scene.transfer}`,
    'audit',
    'keys',
    'switches',
    'events',
    `loans/${scene.loan.offchainId}`,
  ]) {
    await viewer.open(hash, 'Nothing here')
    expect(await page.locator('main button, main table').count()).toBe(0)
  }
  await viewer.open(`accounts/${scene.account.offchainId}`, 'Alice Ltd')
  expect(await page.getByRole('group', { name: 'Actions' }).count()).toBe(0)
  for (const heading of ['History', 'Transactions'])
    expect(await page.getByRole('heading', { name: heading }).count()).toBe(0)
  // Not only hidden: nothing was queried that the key may not read.
  expect([...new Set(viewer.asked.map(({ path }) => path))].sort()).toEqual([
    '/api/v1/accounts/bulk/detailed',
    '/api/v1/accounts/single',
    '/api/v1/counterparties/bulk',
    '/api/v1/whoami',
  ])
  expect(viewer.offences).toEqual([])
})

it('shows a read-only key everything and offers no action', async () => {
  await using viewer = await openViewer()
  await viewer.signIn(scene.viewer)
  for (const [hash, sign] of [
    [`transactions/${scene.waiting[0]}`, 'It waits for approval'],
    [`accounts/${scene.payer.offchainId}`, 'Fee payer'],
    [`nonces/${scene.nonce.ids.offchainId}`, 'in use'],
  ] as const) {
    await viewer.open(hash, sign)
    expect(await viewer.page.getByRole('group', { name: 'Actions' }).count()).toBe(0)
  }
  expect(viewer.offences).toEqual([])
})

it('shows a key of another tenant nothing of this one', async () => {
  await using viewer = await openViewer({ expected: /status of 40[034]/ })
  await viewer.signIn(scene.otherKey)
  await viewer.open('accounts', 'There is nothing here.')
  await viewer.open('transactions', 'There is nothing here.')
  await viewer.open(`transactions/${scene.transfer}`, 'TRANSACTION_NOT_FOUND')
  expect(await viewer.page.getByText('Alice').count()).toBe(0)
  expect(viewer.offences).toEqual([])
})
