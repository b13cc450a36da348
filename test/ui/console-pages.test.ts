// Every page of the console, at the width of a desk and of a phone, in light and in dark: it shows its content, axe
// finds no problem, nothing exceeds its width, and it calls no other host.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { openViewer, stage, WIDTHS } from './viewer.ts'

const { scene } = stage

/** The address of a page, and words that it shows. */
const PAGES: readonly (readonly [name: string, hash: string, sign: string])[] = [
  ['transactions', 'transactions', 'ALICE sent'],
  ['transaction', `transactions/${scene.transfer}`, 'Judged on'],
  ['transaction that waits', `transactions/${scene.waiting[0]}`, 'It waits for approval'],
  ['accounts', 'accounts', 'Alice Ltd'],
  ['account', `accounts/${scene.account.offchainId}`, 'account created'],
  ['positions', 'positions', 'initialized'],
  ['position', `positions/${scene.position.offchainId}`, 'It is in the state'],
  ['instruments', 'instruments', 'Bond A 2031'],
  ['instrument', `instruments/${scene.instrument.offchainId}`, 'instrument created'],
  ['loans', 'loans', 'active'],
  ['loan', `loans/${scene.loan.offchainId}`, 'at the end'],
  ['strategy', `strategies/${scene.strategy}`, 'It is in the state'],
  ['nonces', 'nonces', '1–2 of 2'],
  ['nonce', `nonces/${scene.nonce.ids.offchainId}`, 'in use'],
  ['tables', 'tables', 'TABLE'],
  ['table', `tables/${scene.table.offchainId}`, 'Settlement'],
  ['feeds', 'feeds', 'PRICE'],
  ['feed', `feeds/${scene.feed.offchainId}`, '1.02'],
  ['organizations', 'organizations', 'System'],
  ['organization', 'organizations/SYSTEM', 'It is in the state'],
  ['keys', 'keys', 'approver'],
  ['webhook', `webhooks/${scene.webhook}`, 'hooks.example'],
  ['schedules', 'schedules', '7.5 BNDA'],
  ['schedule', `schedules/${scene.schedule}`, 'It is in the state'],
  ['payment requests', 'payment-requests', 'INVOICE-1'],
  ['payment request', `payment-requests/${scene.paymentRequest}`, 'It is in the state'],
  ['counterparties', 'counterparties', 'Acme GmbH'],
  ['counterparty', `counterparties/${scene.counterparty}`, 'It is in the state'],
  ['distributions', 'distributions', 'COUPON-1'],
  ['distribution', `distributions/${scene.distribution}`, 'It is in the state'],
  ['form', 'new/transfer', 'Moves an instrument'],
  ['audit', 'audit', 'POST '],
  ['events', 'events', 'live'],
  ['inbox', 'inbox', 'Open an entry to approve it'],
  ['new', 'new', 'Batch from a file'],
  ['new batch', 'new/batch', 'Nothing is made before'],
  ['search', 'search?q=ALICE', 'Alice Ltd'],
  ['switches', 'switches', 'Freeze everything'],
]

/** At each width once in full, with a screenshot, and then in the other colours. */
const LOOKS = [
  ['desktop', 'light', 'all'],
  ['desktop', 'dark', 'of colours'],
  ['phone', 'dark', 'all'],
  ['phone', 'light', 'of colours'],
] as const

it('passes the checks on every page', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  /** The page, checked again: it follows the window and the colours of the system. */
  const inOrder = async (name: string): Promise<void> => {
    const problems: string[] = []
    const fixtures: string[] = []
    for (const [width, scheme, rules] of LOOKS) {
      await page.setViewportSize(WIDTHS[width])
      await page.emulateMedia({ colorScheme: scheme })
      fixtures.push(`${scheme} ${await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')}`)
      problems.push(...(await violations(page, rules)).map((each) => `${width} ${scheme}: ${each}`))
      if (rules === 'all') await viewer.screenshot(`${name.replaceAll(' ', '-')}-${width}-${scheme}`)
      const overhang = Number(await page.evaluate('document.documentElement.scrollWidth')) - WIDTHS[width].width
      if (overhang > 0) problems.push(`${width}: ${overhang} pixels stand beyond the edge`)
    }
    expect(new Set(fixtures).size, String(fixtures)).toBe(2)
    expect(new Set(fixtures.map((each) => each.slice(each.indexOf(' ')))).size, String(fixtures)).toBe(2)
    await page.setViewportSize(WIDTHS.desktop)
    await page.emulateMedia({ colorScheme: 'light' })
    expect([name, problems, viewer.offences]).toEqual([name, [], []])
  }
  await page.goto(`${stage.url}/console`)
  await page.getByLabel('API key').waitFor()
  await inOrder('sign in')
  await viewer.signIn()
  await page.getByText('Open the longest').waitFor()
  await inOrder('overview')
  for (const [name, hash, sign] of PAGES) {
    await viewer.open(hash, sign)
    await inOrder(name)
  }
  await page.getByRole('button', { name: 'Freeze everything…', exact: true }).click()
  await inOrder('confirmation')
})

it('remembers the chosen colours, and is usable through its menu on a phone', async () => {
  await using viewer = await openViewer({ width: 'phone', scheme: 'light' })
  const { page } = viewer
  await viewer.signIn()
  const fixture = async (): Promise<string> =>
    await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Change to light colours' }).waitFor()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await fixture()
  await page.getByRole('button', { name: 'Change to dark colours' }).click()
  const dark = await fixture()
  expect(dark).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Menu' }).waitFor()
  expect(await fixture()).toBe(dark)
  const link = page.getByRole('navigation').getByRole('link', { name: 'Accounts' })
  expect(await link.count()).toBe(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  // A screen reader announces the new page.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Accounts')
  expect(await page.title()).toBe('Accounts · Holdfast console')
  expect(viewer.offences).toEqual([])
})
