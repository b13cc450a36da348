// What the forms send: what they show at that moment, to whom they say, and once, also when an answer is lost.
import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { Onchain } from '../e2e/onchain.ts'
import { violations } from './axe.ts'
import { check, fill, final, press } from './forms.ts'
import { OTHER_TENANT } from './scene.ts'
import { openViewer, stage, type Viewer } from './viewer.ts'

const { scene } = stage
const chain = new Onchain(stage.rpcUrl)
const SOL = 1_000_000_000n
const PAY = '**/positions/transfer-network-currency*'
const LOST = { expected: /ERR_FAILED/ } as const

interface Made {
  readonly newAccount: { readonly onchainId: string; readonly offchainId: string }
}

async function ask<T>(path: string, body: object, apiKey = scene.otherKey): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return (await (
    await fetch(`${stage.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json()) as T
}

/** An account with a code that no other test uses, which exists on chain. */
async function account(code: string, apiKey = stage.apiKey): Promise<Made['newAccount']> {
  const { newAccount } = await ask<Made>('/accounts', { itemData: { offchainReferences: { code } } }, apiKey)
  await chain.airdrop(newAccount.onchainId, SOL)
  return newAccount
}

const isDryRun = (headers: Readonly<Record<string, string>>): boolean => headers['holdfast-dry-run'] === 'true'
const sentBy = ({ asked }: Viewer, path: string): Viewer['asked'] =>
  asked.filter((each) => each.path === `/api/v1${path}` && !isDryRun(each.headers))

/** Holds the chosen answers until it is released. */
async function holdWhere({ page }: Viewer, url: string, isHeld: (dryRun: boolean) => boolean): Promise<() => void> {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    if (isHeld(isDryRun(route.request().headers()))) await gate
    await route.continue()
  })
  return release
}

it('sends what the form shows, also if it was changed during the check', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const [first, second] = [await account('RACE-1'), await account('RACE-2')]
  await viewer.signIn()
  await viewer.open('new/send', 'Moves network currency')
  await fill(viewer, [
    ['From', 'LIMITED'],
    ['To', 'RACE-1'],
    ['Amount', '0.5'],
  ])
  const release = await holdWhere(viewer, PAY, (dryRun) => dryRun)
  const checked = page.waitForResponse(PAY)
  await press(viewer, 'Check')
  await page.getByRole('button', { name: 'Working…' }).waitFor()
  await fill(viewer, [
    ['To', 'RACE-2'],
    ['Amount', '0.01'],
  ])
  release()
  await checked
  await viewer.quiet()
  expect(await page.locator('form.make .estimate').count()).toBe(0)
  await check(viewer)
  await press(viewer, 'Send network currency')
  await final(viewer)
  expect(await chain.lamports(first.onchainId)).toBe(SOL)
  expect(await chain.lamports(second.onchainId)).toBe(SOL + SOL / 100n)
  expect(sentBy(viewer, '/positions/transfer-network-currency').length).toBe(1)
  expect(viewer.offences).toEqual([])
})

it('repeats a request whose answer was lost, and lets nobody change it', async () => {
  await using viewer = await openViewer(LOST)
  const { page } = viewer
  const target = await account('LOST-1')
  await viewer.signIn()
  let answers = 0
  await page.route(PAY, async (route) => {
    const isLost = !isDryRun(route.request().headers()) && answers === 0
    if (isLost) {
      answers += 1
      await route.fetch()
      await route.abort('failed')
    } else await route.continue()
  })
  await viewer.open('new/send', 'Moves network currency')
  await fill(viewer, [
    ['From', 'LIMITED'],
    ['To', 'LOST-1'],
    ['Amount', '0.02'],
  ])
  await check(viewer)
  await press(viewer, 'Send network currency')
  await page.getByText('It may have happened.').waitFor()
  expect(await page.getByLabel(/^Amount/).isDisabled()).toBe(true)
  expect(await violations(page)).toEqual([])
  await viewer.pictures('form-unsure')
  await press(viewer, 'Send network currency')
  await final(viewer)
  expect(await chain.lamports(target.onchainId)).toBe(SOL + SOL / 50n)
  const sent = sentBy(viewer, '/positions/transfer-network-currency')
  expect(sent.length).toBe(2)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  // It has ended: the next is another.
  await press(viewer, 'Another one')
  expect(await page.getByLabel(/^Amount/).isDisabled()).toBe(false)
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor()
  expect(viewer.offences).toEqual([])
})

it('shows a request whose answer was lost on every page, also after a reload, and repeats it', async () => {
  await using viewer = await openViewer(LOST)
  const { page } = viewer
  const target = await account('LOST-2')
  await viewer.signIn()
  await page.route(PAY, async (route) => {
    if (isDryRun(route.request().headers())) await route.continue()
    else {
      await route.fetch()
      await route.abort('failed')
    }
  })
  await viewer.open('new/send', 'Moves network currency')
  await fill(viewer, [
    ['From', 'LIMITED'],
    ['To', 'LOST-2'],
    ['Amount', '0.03'],
  ])
  await check(viewer)
  await press(viewer, 'Send network currency')
  await page.getByText('Press “Send network currency” again').waitFor()
  expect(await page.getByText('A request has no answer.').count()).toBe(0)
  await viewer.open('transactions', 'Transactions')
  await page.getByText('A request has no answer.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.reload()
  await press(viewer, 'Repeat the request')
  await page.getByText('the service does not answer').waitFor()
  await page.unroute(PAY)
  await press(viewer, 'Repeat the request')
  await page.getByText('The request was answered: it has happened, once.').waitFor()
  expect(await page.getByText('A request has no answer.').count()).toBe(0)
  expect(await chain.lamports(target.onchainId)).toBe(SOL + (SOL * 3n) / 100n)
  const sent = sentBy(viewer, '/positions/transfer-network-currency')
  expect(sent.length).toBe(3)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(viewer.offences).toEqual([])
})

it('pays the account whose code was typed, among any number of accounts, and none of two of one name', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const make = async (references: object, more: object = {}): Promise<Made['newAccount']> =>
    (await ask<Made>('/accounts', { itemData: { offchainReferences: references, ...more } })).newAccount
  const payer = await make({ code: 'MANY-PAYER' }, { canPayFees: true })
  await chain.airdrop(payer.onchainId, SOL)
  await ask('/accounts/single/balance', { itemData: { offchainId: payer.offchainId } })
  for (let made = 0; made < 240; made += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => make({ code: `FILL-${made + index}` })))
  // Of these, some are among those that the form offers, and some are not.
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  const coded = await Promise.all(numbers.map((each) => make({ code: `SUP-${each}` })))
  const named = await Promise.all(numbers.map((each) => make({ code: `OLD-${each}`, name: `SUP-${each}` })))
  await make({ code: 'OLD-20', name: 'SUP-20' })
  await make({ code: 'OLD-21', name: 'SUP-20' })
  await viewer.signIn(scene.otherKey)
  const offered = await ask<{ items: readonly { offchain: { code: string } }[] }>('/accounts/bulk/detailed', {
    itemQuery: {
      filter: [{ fieldName: 'type', filterValues: [{ filterType: 'IN', valuesString: ['WALLET'] }] }],
      limit: 250,
    },
  })
  const isOffered = (code: string): boolean => offered.items.some(({ offchain }) => offchain.code === code)
  const number = numbers.find((each) => !isOffered(`SUP-${each}`) && isOffered(`OLD-${each}`)) ?? 0
  await viewer.open('new/send', 'Moves network currency')
  const payers = page.getByLabel('Fee payer')
  if ((await payers.count()) > 0) await payers.selectOption(payer.offchainId)
  await fill(viewer, [
    ['From', 'MANY-PAYER'],
    ['To', `SUP-${number}`],
    ['Amount', '0.01'],
  ])
  await check(viewer)
  const shown = page.getByRole('region', { name: 'The records that it names' }).locator('dd')
  expect(await shown.allTextContents()).toEqual([
    `MANY-PAYER · ${payer.onchainId}`,
    `SUP-${number} · ${coded[number]!.onchainId}`,
  ])
  await press(viewer, 'Send network currency')
  await final(viewer)
  expect(await chain.lamports(coded[number]!.onchainId)).toBe(SOL / 100n)
  expect(await chain.lamports(named[number]!.onchainId)).toBe(0n)

  await viewer.open('new', 'Moves an instrument')
  await viewer.open('new/send', 'Moves network currency')
  await fill(viewer, [
    ['From', 'MANY-PAYER'],
    ['To', 'SUP-20'],
    ['Amount', '0.01'],
  ])
  await press(viewer, 'Check')
  await page.locator('.wrong').getByText('several records have this name').waitFor()
  expect(sentBy(viewer, '/positions/transfer-network-currency').length).toBe(1)
  expect(viewer.offences).toEqual([])
})

it('makes an approval policy for several operations', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const { keyId } = await ask<{ keyId: string }>('/admin/api-keys', {
    itemData: { organizationExternalId: OTHER_TENANT, name: 'approves policies', roles: ['DEBIT_LIMIT_APPROVE'] },
  })
  await viewer.signIn(scene.otherKey)
  await viewer.open('new/policy', 'who has to approve operations')
  await page.getByLabel(/^Operations/).selectOption(['MINT', 'BURN'])
  await fill(viewer, [['Approvers', keyId]])
  await press(viewer, 'New approval policy')
  await page.getByText(/New approval policy: (?:done|waiting)/).waitFor()
  const [sent] = sentBy(viewer, '/approval-policies')
  expect(sent!.body).toMatchObject({ itemData: { operations: ['MINT', 'BURN'], approvers: [keyId] } })
  expect(viewer.offences).toEqual([])
})

it('says which limits a new one replaces, and replaces these', async () => {
  await using viewer = await openViewer({ expected: /status of 404/ })
  const { page } = viewer
  await account('BOUND-1')
  await viewer.signIn()
  const send = async (): Promise<string | null> => {
    await viewer.open('new', 'Moves an instrument')
    await viewer.open('new/send', 'Moves network currency')
    await fill(viewer, [
      ['From', 'BOUND-1'],
      ['To', Keypair.generate().publicKey.toBase58()],
      ['Amount', '0.01'],
    ])
    await press(viewer, 'Check')
    return await page.locator('form.make .estimate, form.make .trouble').first().textContent()
  }
  expect(await send()).toContain('It would be refused')
  await viewer.open('new/limits', 'classes of receivers that it does not cover become unlimited')
  await fill(viewer, [
    ['Account', 'BOUND-1'],
    ['Destination', 'MANAGED'],
    ['Limit type', 'PER_TRANSACTION'],
    ['Limit amount', '0.001'],
  ])
  await press(viewer, 'Check', 'Limit network currency')
  await page.getByText('Limit network currency: done.').waitFor()
  expect(await send()).toContain('It can be done')
  await viewer.open('new/token-limits', 'operations and classes of receivers that it does not cover become unlimited')
  expect(viewer.offences).toEqual([])
})

it('keeps the result of an action out of the dialog of another', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const [first, second] = [await account('DIALOG-1'), await account('DIALOG-2')]
  await viewer.signIn()
  await viewer.open(`accounts/${first.offchainId}`, 'It is in the state')
  const dialog = page.getByRole('dialog', { name: 'Freeze account' })
  let isFirst = true
  const release = await holdWhere(viewer, '**/admin/freeze*', () => {
    const isHeld = isFirst
    isFirst = false
    return isHeld
  })
  await press(viewer, 'Freeze account…', 'Freeze account')
  await dialog.getByRole('button', { name: 'Working…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${stage.url}/console#/accounts/${second.offchainId}`)
  await page.getByText(second.onchainId).first().waitFor()
  await press(viewer, 'Freeze account…')
  await dialog.getByText(second.offchainId).waitFor()
  release()
  await page.getByText('The account is frozen.').waitFor()
  await viewer.quiet()
  // The second waits for its own answer.
  expect(await dialog.getByText(second.offchainId).isVisible()).toBe(true)
  expect(sentBy(viewer, '/admin/freeze').length).toBe(1)
  await press(viewer, 'Freeze account')
  await dialog.waitFor({ state: 'hidden' })
  expect(sentBy(viewer, '/admin/freeze').map(({ body }) => body)).toMatchObject(
    [first, second].map(({ offchainId }) => ({ itemData: { account: { offchainId } } })),
  )
  expect(viewer.offences).toEqual([])
})

it('makes a batch of the file that is shown, and of no former one', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  await account('BATCH-1')
  await viewer.open('new/batch', 'Nothing is made before')
  await page.getByLabel('Operation').selectOption('TRANSFER_NETWORK_CURRENCY')
  const head = 'source.offchainReferences.code,destination.offchainReferences.code,amount'
  const choose = async (name: string, lines: readonly string[]): Promise<void> =>
    await page
      .getByLabel(/^File/)
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  const submit = page.locator('form.make button[type="submit"]')
  await choose('first.csv', [head, 'LIMITED,BATCH-1,0.1'])
  await page.getByText('first.csv: 1 item').waitFor()
  // A member, and a part of the same member.
  await choose('second.csv', ['source,source.offchainReferences.code,amount', 'LIMITED,LIMITED,0.2'])
  await page.locator('form.make').getByRole('alert').waitFor()
  expect(await page.getByText('first.csv').count()).toBe(0)
  expect(await submit.isDisabled()).toBe(true)
  // While a file is read, there is none.
  await page.evaluate(`(() => {
    const { arrayBuffer } = File.prototype
    File.prototype.arrayBuffer = async function () {
      if (this.name === 'slow.csv') await new Promise((resolve) => (globalThis.release = resolve))
      return await arrayBuffer.call(this)
    }
  })()`)
  await choose('third.csv', [head, 'LIMITED,BATCH-1,0.3'])
  await page.getByText('third.csv: 1 item').waitFor()
  await choose('slow.csv', [head, 'LIMITED,BATCH-1,0.4'])
  await expect.poll(() => page.evaluate('globalThis.release !== undefined')).toBe(true)
  expect([await page.getByText('third.csv').count(), await submit.isDisabled()]).toEqual([0, true])
  await choose('fourth.csv', [head, 'LIMITED,BATCH-1,0.5'])
  await page.getByText('fourth.csv: 1 item').waitFor()
  await page.evaluate('globalThis.release()')
  await viewer.quiet()
  expect(await page.getByText('fourth.csv: 1 item').count()).toBe(1)
  // Another file during the check.
  const release = await holdWhere(viewer, '**/api/v1/batches*', (dryRun) => dryRun)
  const checked = page.waitForResponse('**/api/v1/batches*')
  await press(viewer, 'Check')
  await page.getByRole('button', { name: 'Working…' }).waitFor()
  await choose('fifth.csv', [head, 'LIMITED,BATCH-1,0.001', 'LIMITED,BATCH-1,0.002'])
  await page.getByText('fifth.csv: 2 items').waitFor()
  release()
  await checked
  await viewer.quiet()
  await press(viewer, 'Check', 'Make the batch')
  await page.getByText('2 of 2 have ended.').waitFor()
  expect(sentBy(viewer, '/batches').map(({ body }) => body)).toMatchObject([
    { itemData: { items: [{ amount: '0.001' }, { amount: '0.002' }] } },
  ])
  expect(viewer.offences).toEqual([])
})
