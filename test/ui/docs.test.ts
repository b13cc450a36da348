// The documentation in a browser, with the real service: every page at the width of a desk and of a phone, in light and
// in dark; the search by keyboard alone; and the first transfer, executed in the reference on the embedded chain.
import { expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { violations } from './axe.ts'
import { openViewer, stage, type Viewer } from './viewer.ts'

const START = `${stage.url}/docs`
const REFERENCE = '/docs/reference'

async function loadPage({ page }: Viewer, path: string): Promise<void> {
  await page.goto(stage.url + path)
  if (path.startsWith(REFERENCE)) await page.locator('.opblock-tag').first().waitFor()
}

/** Each page is checked in one width and colour scheme of its kind; the one with the most styles, in all four. */
it.each([
  { width: 'desktop', scheme: 'light', all: true },
  { width: 'phone', scheme: 'dark', all: true },
  { width: 'desktop', scheme: 'dark', all: false },
  { width: 'phone', scheme: 'light', all: false },
] as const)('is readable at the width of a $width, in $scheme', async ({ width, scheme, all }) => {
  await using viewer = await openViewer({ width, scheme })
  const { page } = viewer
  await page.goto(START)
  const listedPaths = await page
    .locator('nav a')
    .evaluateAll((links: { pathname: string }[]) => links.map(({ pathname }) => pathname))
  expect(listedPaths.length).toBeGreaterThan(10)
  for (const path of all ? [...listedPaths, '/docs/search?q=transfer'] : ['/docs/how-it-works', REFERENCE]) {
    await loadPage(viewer, path)
    expect(await page.locator('h1').count(), path).toBe(1)
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect([path, overflow]).toEqual([path, 0])
    expect(await violations(page), path).toEqual([])
  }
  await viewer.screenshot(`docs-reference-${width}-${scheme}`)
  for (const path of ['/docs/machines', '/docs/how-it-works'].slice(all ? 0 : 2)) {
    await loadPage(viewer, path)
    await viewer.screenshot(`docs${path.slice(5).replaceAll(/\W+/g, '-')}-${width}-${scheme}`)
  }
  expect(viewer.offences).toEqual([])
})

it('copies a whole code block', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.url })
  await page.goto(START)
  const block = page.locator('.code').first()
  const code = await block.locator('code').textContent()
  // The message is shown for a moment only.
  const says = block.getByRole('button', { name: 'Copied' }).waitFor()
  await block.getByRole('button', { name: 'Copy' }).click()
  await says
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(code)
  expect(
    await block.evaluate((each: { scrollWidth: number; clientWidth: number }) => each.scrollWidth - each.clientWidth),
  ).toBe(0)
  await page.goto(`${stage.url}/`)
  await page.locator('main').getByRole('link', { name: 'Console' }).click()
  await page.getByRole('link', { name: 'Documentation' }).click()
  expect(new URL(page.url()).pathname).toBe('/docs')
  expect(viewer.offences).toEqual([])
})

it('is searched by keyboard alone', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await page.goto(START)
  await page.keyboard.press('Tab')
  expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the content')
  // After the name of the service and the link to the console.
  for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab')
  await page.keyboard.type('leased')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('found for').waitFor()
  await page.getByRole('link', { name: 'Nonce', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/machines#nonce')
  expect(await page.locator('#machine-nonce [data-state="leased"]').isVisible()).toBe(true)
  expect(viewer.offences).toEqual([])
})

interface Tried {
  readonly status: string
  readonly body: Record<string, Record<string, unknown>> & {
    readonly status?: string
    readonly errors?: readonly { readonly code: string }[]
  }
}

it('runs the first transfer from its page', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await loadPage(viewer, REFERENCE)
  const ref = (code: string) => ({ offchainReferences: { code } })
  const create = (itemData: object): Promise<Tried> =>
    executeEndpoint(page, 'Accounts', '/api/v1/accounts', { itemData })

  expect(await create({ canPayFees: true })).toMatchObject({
    status: '401',
    body: { errors: [{ code: 'CREDENTIALS_MISSING' }] },
  })
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialog = page.getByRole('dialog').or(page.locator('.modal-ux')).first()
  await dialog.getByRole('textbox').fill(stage.scene.otherKey)
  await dialog.getByRole('button', { name: 'Authorize', exact: true }).click()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const payer = await create({ canPayFees: true, ...ref('DOCS-PAYER') })
  expect(payer.status).toBe('201')
  const params = [payer.body['newAccount']!['onchainId'], 10_000_000_000]
  await fetch(stage.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params }),
  })
  for (const code of ['DOCS-ISSUER', 'DOCS-ALICE', 'DOCS-BOB']) expect((await create(ref(code))).status).toBe('201')
  const chainTransactionConfig = { feePayer: ref('DOCS-PAYER') }
  const token = ref('DOCS-BOND')
  const onchainData = { name: 'Bond A', symbol: 'BNDA', decimals: 2 }
  const instrument = { mintAccount: token, mintAuthority: ref('DOCS-ISSUER'), version: 'TOKEN_2022', onchainData }
  const creation = await executeEndpoint(page, 'Financial instruments', '/api/v1/financial-instruments', {
    itemData: instrument,
    chainTransactionConfig,
  })
  expect(creation.status).toBe('201')
  const [alice, bob] = ['DOCS-ALICE', 'DOCS-BOB'].map((code) => ({ owner: ref(code), financialInstrument: token }))
  const initializeDestinationPositionIfNeeded = true
  const mint = { destination: alice, amount: 1000, initializeDestinationPositionIfNeeded }
  expect(
    (await executeEndpoint(page, 'Positions', '/api/v1/positions/mint', { itemData: mint, chainTransactionConfig }))
      .status,
  ).toBe('201')
  const transfer = { source: alice, destination: bob, amount: '250.25', initializeDestinationPositionIfNeeded }
  const transferResult = await executeEndpoint(page, 'Positions', '/api/v1/positions/transfer', {
    itemData: transfer,
    chainTransactionConfig,
  })
  expect([transferResult.status, transferResult.body.status]).toEqual([
    '201',
    expect.stringMatching(/^(?:CONFIRMED|FINALIZED)$/),
  ])
  const balance = await executeEndpoint(page, 'Positions', '/api/v1/positions/single/balance', { itemData: bob })
  expect(balance).toMatchObject({ status: '200', body: { onchain: { amount: 250.25 }, offchain: { amount: 250.25 } } })
  await viewer.screenshot('docs-tried')
  expect(await violations(page)).toEqual([])
  // The browser itself logs the refusal at the beginning.
  expect(viewer.offences.filter((offence) => !offence.includes('status of 401'))).toEqual([])
})

/** Opens an endpoint of the reference, executes it with the body, and reads the displayed answer. */
async function executeEndpoint(page: Page, tag: string, path: string, body: object): Promise<Tried> {
  const section = page.locator('.opblock-tag-section').filter({ has: page.locator(`[data-tag="${tag}"]`) })
  const head = section.locator('.opblock-tag')
  if ((await head.getAttribute('data-is-open')) !== 'true') await head.click()
  const endpoint: Locator = section.locator('.opblock-post').filter({ has: page.locator(`[data-path="${path}"]`) })
  if (!(await endpoint.getAttribute('class'))!.includes('is-open'))
    await endpoint.locator('.opblock-summary-control').click()
  const start = endpoint.getByRole('button', { name: 'Try it out' })
  const field = endpoint.getByRole('textbox', { name: 'Request body' })
  // A section that was just opened is not drawn yet: wait for its endpoints.
  await start.or(field).first().waitFor()
  if (await start.isVisible()) await start.click()
  await field.fill(JSON.stringify(body))
  const responsePromise = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  await endpoint.getByRole('button', { name: 'Execute' }).click()
  const status = String((await responsePromise).status())
  const table = endpoint.locator('.live-responses-table')
  await table.locator('.response-col_status', { hasText: status }).first().waitFor()
  // Of an answer before, the status may be the same: what is shown is compared with what came.
  const text = await (await responsePromise).text()
  const answer = JSON.parse(text) as Tried['body']
  await table
    .locator('.highlight-code pre', { hasText: Object.keys(answer)[0]! })
    .first()
    .waitFor()
  return { status, body: answer }
}
