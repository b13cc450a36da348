// The content of the pages: lists by the fields and filter types of the bulk queries, only their pages, one record with
// its machine, its history and its transactions, and live events.
import { expect, it } from 'vitest'
import { HOSTILE_MEMO, HOSTILE_NAME } from './scene.ts'
import { openViewer, stage, type Viewer } from './viewer.ts'

const { scene } = stage

interface Asked {
  readonly itemQuery: {
    readonly limit?: number
    readonly skip?: number
    readonly filter?: unknown
    readonly sort?: unknown
  }
}

/** The last bulk query of a resource. */
function lastQuery({ asked }: Viewer, path: string): Asked['itemQuery'] {
  return (asked.findLast((each) => each.path === `/api/v1${path}`)!.body as Asked).itemQuery
}

async function ask(path: string, itemData: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
  return await (
    await fetch(`${stage.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify({ itemData }) })
  ).json()
}

it('filters and sorts by every field of every bulk query of the OpenAPI document', async () => {
  await using viewer = await openViewer()
  await viewer.signIn()
  interface Body {
    readonly properties: {
      readonly itemQuery: {
        readonly properties: {
          readonly filter: {
            readonly items: { readonly properties: { readonly fieldName: { readonly examples: string[] } } }
          }
        }
      }
    }
  }
  const document = (await (await fetch(`${stage.url}/openapi.json`)).json()) as {
    paths: Record<string, { post?: { requestBody: { content: { 'application/json': { schema: Body } } } } }>
  }
  // Holders are queried by instrument and have no page.
  const bulks = Object.keys(document.paths).filter((path) => /\/bulk(?:\/|$)/.test(path) && !path.includes('/holders/'))
  const links = viewer.page.getByRole('navigation').getByRole('link')
  const visited: string[] = []
  for (const title of await links.allTextContents()) {
    if (['Overview', 'New', 'Inbox', 'Live events', 'Switches'].includes(title)) continue
    const before = viewer.asked.length
    await links.getByText(title, { exact: true }).click()
    // Until the query is sent, the shown list may be the former one.
    const bulkPath = (): string | undefined =>
      viewer.asked.slice(before).find((each) => each.path.includes('/bulk'))?.path
    await expect.poll(bulkPath).toBeDefined()
    const path = bulkPath()!
    await viewer.page.getByLabel('Field').waitFor()
    await viewer.page
      .locator('.turner')
      .getByText(/^\d.* of \d|^none$/)
      .first()
      .waitFor()
    const pathName = path.replace(/detailed$/, '{detail-level}')
    visited.push(pathName)
    const { schema } = document.paths[pathName]!.post!.requestBody.content['application/json']
    const fields = schema.properties.itemQuery.properties.filter.items.properties.fieldName.examples
    expect(await viewer.page.getByLabel('Field').locator('option').allTextContents()).toEqual(fields)
    expect(await viewer.page.getByLabel('Order by').locator('option').count()).toBe(2 * fields.length + 1)
  }
  expect(visited.sort()).toEqual(bulks.sort())
  expect(viewer.offences).toEqual([])
})

it('requests one page at a time, for any number of records', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  for (let number = 0; number < 15; number += 1)
    await ask('/accounts', { offchainReferences: { code: `MANY-${String(number).padStart(2, '0')}` } })
  await viewer.signIn()
  await viewer.open('accounts?size=25&sort=code.asc', 'Alice Ltd')
  const path = '/accounts/bulk/detailed'
  expect(lastQuery(viewer, path)).toEqual({ sort: [{ fieldName: 'code', sortDirection: 'ASC' }], skip: 0, limit: 25 })
  expect(await page.locator('tbody tr').count()).toBe(25)
  // With the keyboard: the next page, a row, the one under it.
  await page.keyboard.press(']')
  await page.waitForURL(/page=2/)
  await expect.poll(() => lastQuery(viewer, path).skip).toBe(25)
  await page.keyboard.press('[')
  await expect.poll(() => lastQuery(viewer, path).skip).toBe(0)
  await page.getByRole('button', { name: 'Code' }).click()
  await expect.poll(() => lastQuery(viewer, path).sort).toEqual([{ fieldName: 'code', sortDirection: 'DESC' }])
  // The rows of the answer differ.
  await viewer.quiet()
  const rows = page.locator('[data-key="row"]')
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  expect(
    await page.evaluate(`[...document.querySelectorAll('[data-key="row"]')].indexOf(document.activeElement)`),
  ).toBe(1)
  // `/` focuses the filter.
  await page.keyboard.press('/')
  await page.getByLabel('Field').selectOption('code')
  await page.getByLabel('Filter type').selectOption('STARTS_WITH')
  await page.getByLabel('Value').fill('MANY-0')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('1–10 of 10').waitFor()
  expect(lastQuery(viewer, path).filter).toEqual([
    { fieldName: 'code', filterValues: [{ filterType: 'STARTS_WITH', valueString: 'MANY-0' }] },
  ])
  await page.getByRole('button', { name: 'Remove the condition on code' }).click()
  // A number is sent as it was typed.
  await page.getByLabel('Field').selectOption('lamportsBalance')
  await page.getByLabel('Filter type').selectOption('IN_RANGE')
  await page.getByLabel('From', { exact: true }).fill('4000000000.000000001')
  await page.getByLabel('To', { exact: true }).fill('5000000000')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('Alice Ltd').waitFor()
  expect(lastQuery(viewer, path).filter).toEqual([
    {
      fieldName: 'lamportsBalance',
      filterValues: [{ filterType: 'IN_RANGE', valueFromNumber: '4000000000.000000001', valueToNumber: '5000000000' }],
    },
  ])
  for (const { path: asked, body } of viewer.asked)
    if (asked.includes('/bulk')) expect((body as Asked).itemQuery.limit).toBeLessThanOrEqual(250)
  expect(viewer.offences).toEqual([])
})

it('highlights the state of a record in the drawing of its machine', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  for (const [hash, state] of [
    [`transactions/${scene.waiting[0]}`, 'prepared'],
    [`nonces/${scene.nonce.ids.offchainId}`, 'leased'],
    [`loans/${scene.loan.offchainId}`, 'active'],
    [`positions/${scene.position.offchainId}`, 'initialized'],
    ['organizations/SYSTEM', 'active'],
  ] as const) {
    await viewer.open(hash, 'It is in the state')
    const lit = page.locator('.machine-drawing .current')
    await lit.waitFor()
    expect([await lit.count(), await lit.getAttribute('data-state')]).toEqual([1, state])
  }
  expect(viewer.offences).toEqual([])
})

it('distinguishes the default debit limits of an account from no limits', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const { newAccount } = (await ask('/accounts', { networkCurrencyDebitLimits: [] })) as {
    newAccount: { offchainId: string }
  }
  await viewer.signIn()
  await viewer.open(`accounts/${newAccount.offchainId}`, 'Network currency debit limits')
  const shown = await page.locator('dl.pairs > div').allTextContents()
  expect(shown).toContain('Network currency debit limitsnone')
  expect(shown).toContain('Token debit limitsdefaults')
  expect(shown.join('\n')).not.toContain('Default debit limits')
  expect(viewer.offences).toEqual([])
})

it('shows the history of a transaction, its effects and its reason', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  await viewer.open(`transactions/${scene.transfer}`, 'Judged on')
  const steps = await page.locator('.timeline strong').allTextContents()
  expect(await page.locator('.sentence').textContent()).toBe(
    'ALICE sent 1\u202f234.567891 BNDA to BOB, fee paid by PAYER.',
  )
  expect(steps[0]).toBe('prepared')
  expect(steps).toEqual(expect.arrayContaining(['signed', 'sent', 'finalized']))
  expect(await page.locator('.effects .amount').first().textContent()).toBe('1\u202f234.567891')
  expect(await page.locator('.signatures li').count()).toBe(2)
  const links = await page.evaluate<string[]>(`[...document.querySelectorAll('a[href]')].map((each) => each.href)`)
  for (const link of links) expect(new URL(link).origin).toBe(stage.url)
  expect(viewer.offences).toEqual([])
})

it('lists parties by name, instruments by symbol, and amounts with their unit', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  const cells = async (hash: string, sign: string): Promise<string> => {
    await viewer.open(hash, sign)
    return (await page.locator('tbody tr').allTextContents()).join('\n')
  }
  const transactions = await cells('transactions', 'ALICE sent')
  for (const text of ['ALICE sent 1\u202f234.567891 BNDA to BOB', '0.000005 SOL']) expect(transactions).toContain(text)
  const positions = await cells('positions', 'initialized')
  for (const text of ['ALICE', 'BNDA', 'CASH']) expect(positions).toContain(text)
  const loans = await cells('loans', 'active')
  for (const text of ['40\u202f000 CASH', '5\u202f000 NOTE', '100\u202f000 BNDA', ' %', 'ALICE', 'VAULT'])
    expect(loans).toContain(text)
  await viewer.open('strategies', 'VAULT')
  await page.locator('tbody').getByText('CASH').waitFor()
  await page.locator('tbody').getByText('NOTE').waitFor()
  expect(await cells('accounts?where=[["code","EQUALS","LIMITED",""]]', 'Petty cash')).toContain('20 SOL')
  await viewer.open('transactions', 'ALICE sent')
  expect(await page.locator('time').first().textContent()).toMatch(/ UTC$/)
  expect(viewer.offences).toEqual([])
})

it('charts the interest of each debt of a loan', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  await viewer.open(`loans/${scene.loan.offchainId}`, 'at the end')
  const charts = page.getByRole('img', { name: /^Estimated interest of (?:CASH|NOTE)/ })
  expect(await charts.count()).toBe(2)
  const captions = await page.locator('.chart figcaption').allTextContents()
  // Of a year of 365 days: 8.25 % for 30 of them on 40 000, 4 % for 60 on 5 000.
  const expected = [(40_000 * 0.0825 * 30) / 365, (5_000 * 0.04 * 60) / 365]
  const atEnd = captions.map((caption) =>
    Number(/([\d.\u202f]+) at the end/.exec(caption)![1]!.replaceAll('\u202f', '')),
  )
  for (const [index, value] of expected.entries()) expect(atEnd[index]! / value).toBeCloseTo(1, 2)
  expect(await page.getByRole('table', { name: 'Estimated interest of', includeHidden: true }).count()).toBe(2)
  expect(viewer.offences).toEqual([])
})

it('escapes all text from outside', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  const escapedName = HOSTILE_NAME.replace('\u202e', 'U+202E').replace('\u200b', 'U+200B')
  for (const hash of [
    'accounts?where=[["code","EQUALS","HOSTILE",""]]',
    `accounts/${scene.hostile.offchainId}`,
    'organizations',
    '',
  ]) {
    await page.goto(`${stage.url}/console#/${hash}`)
    await page.getByText('onerror=alert(1)').first().waitFor()
    expect(await page.locator('main').textContent()).toContain(escapedName)
  }
  await viewer.open(`transactions/${scene.transfer}`, 'Judged on')
  expect(await page.locator('main').textContent()).toContain(HOSTILE_MEMO.replace('\u2066', 'U+2066'))
  await page.goto(`${stage.url}/console#/<img src=x onerror=alert(3)>`)
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  for (const element of ['main img', 'main script', 'main [onerror]', 'main [onload]'])
    expect(await page.locator(element).count()).toBe(0)
  expect(await page.title()).not.toContain('owned')
  expect(viewer.offences).toEqual([])
})

it('shows events as they happen, also to screen readers', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  await viewer.open('events', 'live')
  await page.locator('.badge', { hasText: /^.?live$/ }).waitFor()
  const { newAccount } = (await ask('/accounts', {})) as { newAccount: { offchainId: string } }
  await page.getByText(newAccount.offchainId).first().waitFor()
  await page.getByText('account created').first().waitFor()
  await expect
    .poll(() => page.getByRole('status').allTextContents())
    .toEqual(expect.arrayContaining([expect.stringMatching(/newest event: number \d+/)]))
  expect(viewer.offences).toEqual([])
})

it('shows missed events after an interruption, each once', async () => {
  await using viewer = await openViewer({ expected: /ERR_INTERNET_DISCONNECTED/ })
  const { page } = viewer
  const create = async (): Promise<string> =>
    ((await ask('/accounts', {})) as { newAccount: { offchainId: string } }).newAccount.offchainId
  const connection = async (state: string): Promise<void> =>
    await page.locator('.heading .badge', { hasText: new RegExp(`^.?${state}$`) }).waitFor()
  const readLive = async (): Promise<string[]> => (await page.locator('.live > li > a').allTextContents()).toReversed()
  await viewer.signIn()
  await viewer.open('events', 'Nothing has happened since you came')
  await connection('live')
  const happened: string[] = []
  // Before the first event, and after one.
  for (const _break of [1, 2]) {
    await page.context().setOffline(true)
    await connection('connection lost')
    happened.push(await create(), await create())
    await page.context().setOffline(false)
    await connection('live')
    happened.push(await create())
    await page.getByText(happened.at(-1)!).first().waitFor()
    expect(await readLive()).toEqual(happened)
  }
  expect(viewer.offences).toEqual([])
})
