// The main operations by the forms of the console: each is checked before it is sent, followed until it is final, and
// its result is verified on the chain.
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { Onchain } from '../e2e/onchain.ts'
import { pay } from '../e2e/payouts/solana-pay.ts'
import { violations } from './axe.ts'
import { check, fill, final, make, press } from './forms.ts'
import { hold, linesOf, openViewer, stage, WIDTHS } from './viewer.ts'

const { scene } = stage
const chain = new Onchain(stage.rpcUrl)
const SOL = 1_000_000_000n

async function ask<T>(path: string, itemData: object, method = 'POST'): Promise<T> {
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
  return (await (
    await fetch(`${stage.url}/api/v1${path}`, { method, headers, body: JSON.stringify({ itemData }) })
  ).json()) as T
}

async function findRecord<T>(path: string, fieldName: string, valueString: string): Promise<T> {
  const headers = { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' }
  const filter = [{ fieldName, filterValues: [{ filterType: 'EQUALS', valueString }] }]
  const body = JSON.stringify({ itemQuery: { filter } })
  const { items } = (await (await fetch(`${stage.url}/api/v1${path}`, { method: 'POST', headers, body })).json()) as {
    items: T[]
  }
  return items[0]!
}

const addressOf = (owner: string, mint: string): string =>
  getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, TOKEN_2022_PROGRAM_ID).toBase58()

interface Shown {
  readonly onchain: { readonly id: string }
  readonly offchain: { readonly id: string }
}

it('makes an account, an instrument and positions, and mints, transfers, trades and burns', async () => {
  await using viewer = await openViewer({ expected: /status of 40[04]/ })
  const { page } = viewer
  await viewer.signIn()
  await viewer.open('new/account', 'New account')
  await fill(viewer, [
    ['Code', 'CAROL'],
    ['Name', 'Carol & Co'],
  ])
  await check(viewer)
  await press(viewer, 'New account')
  await page.getByText('New account: done.').waitFor()
  const carol = await findRecord<Shown>('/accounts/bulk/detailed', 'code', 'CAROL')

  await viewer.open('new/instrument', 'Mint authority')
  expect(await violations(page)).toEqual([])
  await viewer.pictures('form')
  await fill(viewer, [
    ['Name', 'Made by hand'],
    ['Symbol', 'HAND'],
    ['Decimals', '2'],
    ['Mint authority', 'ISSUER'],
    ['Code', 'HAND'],
  ])
  await make(viewer, 'New instrument')
  const hand = await findRecord<Shown>('/accounts/bulk/detailed', 'code', 'HAND')
  expect((await chain.mint(hand.onchain.id)).decimals).toBe(2)

  for (const owner of ['ALICE', 'CAROL']) {
    await viewer.open('new', 'Moves an instrument')
    await viewer.open('new/position', 'Opens the token account')
    await fill(viewer, [
      ['Owner', owner],
      ['Instrument', 'HAND'],
    ])
    await make(viewer, 'New position')
  }
  const [alices, carols] = [scene.account.onchainId, carol.onchain.id].map((owner) => addressOf(owner, hand.onchain.id))
  const balances = async (): Promise<bigint[]> => await Promise.all([chain.tokens(alices!), chain.tokens(carols!)])
  expect(await balances()).toEqual([0n, 0n])

  // From the page of the instrument: the form is filled in.
  await viewer.open(`instruments/${hand.offchain.id}`, 'It is in the state')
  await page.getByRole('link', { name: 'Mint', exact: true }).click()
  await fill(viewer, [
    ['To', 'ALICE'],
    ['Amount', 'a lot'],
  ])
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const amount = page.getByLabel(/^Amount/)
  await page.locator('[aria-invalid="true"]').waitFor()
  expect(await amount.getAttribute('aria-invalid')).toBe('true')
  expect(await amount.getAttribute('aria-describedby')).toContain('field-amount-wrong')
  expect(await violations(page)).toEqual([])
  await viewer.pictures('form-wrong')
  await fill(viewer, [['Amount', '100.25']])
  await make(viewer, 'Mint')
  await page.getByText('100.25 HAND were minted to ALICE').waitFor()
  await viewer.pictures('form-followed')
  expect(await balances()).toEqual([10_025n, 0n])

  await viewer.open('new/transfer', 'Moves an instrument')
  await fill(viewer, [
    ['From', 'ALICE'],
    ['Instrument', 'HAND'],
    ['To', 'CAROL'],
    ['Amount', '25'],
    ['Memo', 'Drawn by hand'],
    ['Reference', 'BY-HAND-1'],
  ])
  await check(viewer)
  const estimate = page.getByRole('region', { name: 'What it would do' })
  expect(await estimate.textContent()).toContain('Fee0.00001 SOL')
  await estimate.scrollIntoViewIfNeeded()
  await viewer.pictures('form-checked')
  expect(await balances()).toEqual([10_025n, 0n])
  await press(viewer, 'Transfer')
  await final(viewer)
  expect(await balances()).toEqual([7_525n, 2_500n])

  await viewer.open('new/trade', 'all of them happen, or none')
  const leg = (number: number) => page.getByRole('group', { name: `Leg ${number}`, exact: true })
  await fill(
    viewer,
    [
      ['From', 'ALICE'],
      ['Instrument', 'HAND'],
      ['To', 'CAROL'],
      ['Amount', '10'],
    ],
    leg(1),
  )
  await fill(
    viewer,
    [
      ['From', 'CAROL'],
      ['Instrument', 'HAND'],
      ['To', 'ALICE'],
      ['Amount', '4'],
    ],
    leg(2),
  )
  await make(viewer, 'Trade')
  await viewer.pictures('trade')
  expect(await balances()).toEqual([6_925n, 3_100n])

  await viewer.open('new/burn', 'Destroys units')
  await fill(viewer, [
    ['From', 'CAROL'],
    ['Instrument', 'HAND'],
    ['Amount', '31'],
  ])
  await make(viewer, 'Burn')
  expect(await balances()).toEqual([6_925n, 0n])
  expect(await chain.supply(hand.onchain.id)).toBe(6_925n)
  // The transaction is found by its reference.
  await page.getByRole('searchbox').fill('BY-HAND-1')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('ALICE sent 25 HAND to CAROL').waitFor()
  expect(await violations(page)).toEqual([])
  await viewer.pictures('search')
  // And by its memo and its signature; token accounts by their address, accounts by their id.
  const [signature] = await chain.signatures(carols!)
  for (const [known, title] of [
    [alices!, 'Positions'],
    [signature!, 'Transactions'],
    [carol.offchain.id, 'Accounts'],
    ['Drawn by hand', 'Transactions'],
  ] as const) {
    await page.getByRole('searchbox').fill(known)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('main').getByRole('heading', { name: title, exact: true }).waitFor()
  }
  expect(viewer.offences).toEqual([])
})

it('sends network currency once, for any number of clicks', async () => {
  await using viewer = await openViewer({ expected: /status of 404/ })
  const { page } = viewer
  await viewer.signIn()
  const stranger = Keypair.generate().publicKey.toBase58()
  await viewer.open('new/send', 'Moves network currency')
  await fill(viewer, [
    ['From', 'LIMITED'],
    ['To', stranger],
    ['Amount', '0.5'],
  ])
  await check(viewer)
  // The limit that applies, and its state.
  const limit = page.getByRole('table', { name: 'Limits' }).locator('tbody tr')
  expect(await limit.allTextContents()).toEqual([expect.stringMatching(/0\.5.*Passed/) as string])
  expect(await page.getByRole('region', { name: 'What it would do' }).textContent()).toContain('Fee0.00001 SOL')
  await page.evaluate(`(() => {
    const button = document.querySelector('form.make button[type="submit"]')
    button.click()
    button.click()
    button.form.requestSubmit()
  })()`)
  await final(viewer)
  expect(await chain.lamports(stranger)).toBe(SOL / 2n)
  expect(viewer.offences).toEqual([])
})

it('sets limits with approvers, and makes organizations and keys', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  const { keyId } = await ask<{ keyId: string }>('/admin/api-keys', {
    organizationExternalId: 'SYSTEM',
    name: 'second approver',
    roles: ['DEBIT_LIMIT_APPROVE'],
  })
  await viewer.open('new/limits', 'Sets the limit')
  await fill(viewer, [
    ['Account', 'BOB'],
    ['Destination', 'ANY'],
    ['Limit type', 'DURATION'],
    ['Limit amount', '2.5'],
    ['Duration', '2'],
    ['Unit of the duration', 'DAYS'],
    ['Approvers', keyId],
    ['Approvals required', '1'],
  ])
  await press(viewer, 'Check', 'Limit network currency')
  await page.getByText('Limit network currency: done.').waitFor()
  await viewer.pictures('limits')
  const bob = await findRecord<{ networkCurrencyDebitLimits: unknown }>('/accounts/bulk/detailed', 'code', 'BOB')
  expect(bob.networkCurrencyDebitLimits).toEqual([
    {
      destination: 'ANY',
      maxAllowedDebit: {
        limitType: 'DURATION',
        limitAmount: 2.5,
        duration: { code: 'DAYS', unit: 2 },
        approversForOverride: [keyId],
        requiredApproversCount: 1,
      },
    },
  ])

  await viewer.open('new/organization', 'Makes an organization')
  await fill(viewer, [
    ['External id', 'MADE-HERE'],
    ['Name', 'Made here'],
  ])
  await page.getByRole('button', { name: 'New organization', exact: true }).click()
  await page.getByText('New organization: done.').waitFor()
  await viewer.open('new/key', 'Its secret is shown once')
  await fill(viewer, [
    ['Organization', 'MADE-HERE'],
    ['Name', 'reader'],
    ['Bundle', 'VIEWER'],
  ])
  await page.getByRole('button', { name: 'New API key', exact: true }).click()
  await page.getByText('The secret of this key').waitFor()
  await viewer.pictures('key')
  const secret = (await page.getByText('The secret of this key').locator('code').textContent())!
  const who = await fetch(`${stage.url}/api/v1/whoami`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await who.json()).toMatchObject({ organizationExternalId: 'MADE-HERE' })
  expect(viewer.offences).toEqual([])
})

it('creates a batch from a file: errors by line, the estimate, each item, and failed items', async () => {
  await using viewer = await openViewer({ expected: /status of 400/ })
  const { page } = viewer
  await viewer.signIn()
  const bond = scene.instrument.onchainId
  const bobs = addressOf((await findRecord<Shown>('/accounts/bulk/detailed', 'code', 'BOB')).onchain.id, bond)
  const side = (name: string): string => `${name}.owner.offchainReferences.code,${name}.financialInstrument.onchainId`
  const head = `${side('source')},${side('destination')},amount,externalReference,offchainBalanceAvailabilityPrecheck`
  const row = (amount: string, reference: string): string => `ALICE,${bond},BOB,${bond},${amount},${reference},false`
  const upload = async (rows: readonly string[]): Promise<void> =>
    await page
      .getByLabel(/^File/)
      .setInputFiles({ name: 'coupons.csv', mimeType: 'text/csv', buffer: Buffer.from([head, ...rows].join('\r\n')) })
  await viewer.open('new/batch', 'Nothing is made before')
  await upload([row('1', 'A'), row('1', '"B')])
  await page.getByRole('alert').getByText('line 3: a quoted cell without its closing quote').waitFor()
  await upload([row('1', 'A'), row('many', '"B, ""quoted"""'), row('2', 'C')])
  await page.getByText('coupons.csv: 3 items').waitFor()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('alert').getByText('line 3: amount').waitFor()
  await viewer.pictures('batch-wrong')

  const before = await chain.tokens(bobs)
  await upload([row('1.5', 'A'), row('2', '"B, ""quoted"""'), row('999999999', 'C')])
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('What it would do').waitFor()
  expect(await violations(page)).toEqual([])
  await viewer.pictures('batch-checked')
  expect(await chain.tokens(bobs)).toBe(before)
  await page.getByRole('button', { name: 'Make the batch' }).click()
  await page.waitForURL(/#\/batches\//)
  await page.locator('.heading .badge', { hasText: 'Failed' }).waitFor()
  await page.getByText('3 of 3 have ended.').waitFor()
  const first = page.getByRole('row').filter({ hasText: 'ALICE' }).first()
  for (const text of ['BOB', '1.5 BNDA']) await first.getByText(text).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await linesOf(first.getByText('ALICE'))).toBe(1)
  await viewer.pictures('batch-ended')
  expect(await chain.tokens(bobs)).toBe(before + 3_500_000n)

  // Only an item that provably did not happen is executed again, once it can be.
  await ask('/positions/mint', { destination: { position: scene.position }, amount: '999999999' })
  await page.getByRole('button', { name: 'Retry what did not happen…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry what did not happen' }).click()
  await page.locator('.heading .badge', { hasText: 'Done' }).waitFor()
  expect(await chain.tokens(bobs)).toBe(before + 3_500_000n + 999_999_999_000_000n)
  expect(viewer.offences).toEqual([])
})

it('pauses, resumes and cancels a schedule, and cancels a payment request', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  await viewer.signIn()
  const act = async (label: string, text: string): Promise<void> => {
    await page.getByRole('button', { name: `${label}…`, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    await page.locator('.heading .badge', { hasText: text }).waitFor()
  }
  const { newSchedule } = await ask<{ newSchedule: { offchainId: string } }>('/schedules', {
    operation: 'TRANSFER_NETWORK_CURRENCY',
    itemData: { source: scene.account, destination: scene.hostile, lamports: '1000' },
    startAt: new Date(Date.now() + 86_400_000).toISOString(),
    every: { code: 'DAYS', unit: 1 },
  })
  await viewer.open('schedules', 'Transfer network currency')
  const row = page.getByRole('row').filter({ hasText: 'Transfer network currency' }).first()
  for (const text of ['ALICE', 'HOSTILE', '0.000001 SOL']) await row.getByText(text).waitFor()
  await viewer.open(`schedules/${newSchedule.offchainId}`, 'It is in the state')
  await act('Pause schedule', 'Paused')
  await act('Resume schedule', 'Active')
  await act('Cancel schedule', 'Cancelled')
  await viewer.open('new/payment-request', 'with a page for the payer')
  await fill(viewer, [
    ['To', 'BOB'],
    ['Amount', '0.1'],
    ['Reference', 'INV-77'],
  ])
  await press(viewer, 'Check', 'New payment request')
  await page.getByRole('link', { name: 'See what was made' }).click()
  await page.locator('.heading .badge', { hasText: 'Open' }).waitFor()
  // The code is a picture, which a wallet can read; its text would fill the page.
  const code = page.getByRole('img', { name: 'QR code of the URL' })
  await expect.poll(() => code.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth)).not.toBe(0)
  expect(await page.locator('main').textContent()).not.toContain('<svg')
  expect(await page.getByRole('link', { name: '/pay/' }).getAttribute('href')).toMatch(/^\/pay\//)
  // It is the purpose of the page: visible without scrolling.
  expect((await code.boundingBox())!.y).toBeLessThan(WIDTHS.desktop.height)
  await page.locator('dd', { hasText: 'BOB' }).first().waitFor()
  expect(await violations(page)).toEqual([])
  await viewer.pictures('payment-request')
  await act('Cancel payment request', 'Cancelled')
  await viewer.open('payment-requests', 'INV-77')
  const request = page.getByRole('row').filter({ hasText: 'INV-77' }).filter({ hasText: 'BOB' })
  for (const text of ['SOL', '0.1']) await request.getByText(text, { exact: true }).waitFor()
  expect(viewer.offences).toEqual([])
})

it('shows a payer the payment request and nothing else, without a key', async () => {
  await using viewer = await openViewer()
  const { page } = viewer
  const shop = await findRecord<Shown>('/accounts/bulk/detailed', 'code', 'BOB')
  const { newPaymentRequest: paymentRequest } = await ask<{ newPaymentRequest: { url: string; payerPage: string } }>(
    '/payment-requests',
    { destination: { offchainId: shop.offchain.id }, amount: '0.25', externalReference: 'INV-2026-1' },
  )
  await page.goto(`${stage.url}${paymentRequest.payerPage}`)
  await page.getByText('Waiting for payment').waitFor()
  const letGo = await hold(page, `${stage.url}${paymentRequest.payerPage}`)
  for (const [name, size] of Object.entries(WIDTHS)) {
    await page.setViewportSize(size)
    // It follows the payment by reloading, because it has no script.
    expect((await violations(page)).filter((each) => !each.startsWith('meta-refresh'))).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width)
    await viewer.screenshot(`pay-${name}`)
  }
  expect(await page.locator('svg').count()).toBe(1)
  expect(await page.getByRole('link').getAttribute('href')).toBe(paymentRequest.url)
  const lines = (await page.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '')
  expect(lines.slice(1)).toEqual(['0.25 SOL', 'Pay with a wallet', 'Waiting for payment'])
  const content = await page.content()
  for (const secret of [shop.offchain.id, 'BOB', 'INV-2026-1', 'SYSTEM']) expect(content).not.toContain(secret)
  expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.scripts.length]')).toEqual([
    0, 0, 0,
  ])
  expect(viewer.asked).toEqual([])
  letGo()
  const payer = Keypair.generate()
  await chain.airdrop(payer.publicKey.toBase58(), SOL)
  // The wallet pays only an account that exists on chain.
  await chain.airdrop(shop.onchain.id, SOL)
  const before = await chain.lamports(shop.onchain.id)
  await pay(chain.connection, payer, paymentRequest.url)
  await page.getByText(/^Paid/).waitFor()
  expect(await page.getByRole('link').count()).toBe(0)
  expect(await chain.lamports(shop.onchain.id)).toBe(before + SOL / 4n)
  await viewer.pictures('pay-paid')
  expect(viewer.offences).toEqual([])
})
