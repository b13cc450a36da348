// Payment requests that are paid from outside by their URL alone, and how the service books the payments.
import { randomUUID } from 'node:crypto'
import { findReference, validateTransfer } from '@solana/pay'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qrSvg } from '../../../src/qr/svg.ts'
import { once } from '../client.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'
import { parseUrl, pay } from './solana-pay.ts'

interface Made {
  readonly offchainId: string
  readonly url: string
  readonly reference: string
  readonly payerPage: string
  readonly qrCode: string
}

interface Request extends Made {
  readonly status: string
  readonly isFinal: boolean
  readonly amount: number
  readonly receivedAmount: number
  readonly lateAmount: number
  readonly payments: readonly {
    readonly onchainId: string
    readonly amount: number
    readonly status: string
    readonly late: boolean
  }[]
  readonly endedAt: string | null
}

const payer = Keypair.generate()
let world: World
let shop: Ids

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  await world.records.feePayer()
  shop = await world.records.funded({}, SOL)
  const { connection } = world.chain
  await connection.requestAirdrop(payer.publicKey, Number(20n * SOL))
  await eventually(async () => expect(await connection.getBalance(payer.publicKey)).toBe(Number(20n * SOL)))
})
afterAll(() => world.stop())

async function request(itemData: object = {}): Promise<Made> {
  const { newPaymentRequest } = await world.api.ok<{ newPaymentRequest: Made }>(201, 'POST', '/payment-requests', {
    destination: shop,
    amount: '1.5',
    externalReference: 'INV-1',
    ...itemData,
  })
  return newPaymentRequest
}
const single = ({ offchainId }: Made): Promise<Request> => world.api.read('/payment-requests/single', { offchainId })
const becomes = (paymentRequest: Made, expected: object): Promise<Request> =>
  eventually(async () => {
    const now = await single(paymentRequest)
    expect(now).toMatchObject(expected)
    return now
  })
/** Expires as soon as the machine can create it in time. */
async function expiringSoon(inMs = 2_000): Promise<{ expiring: Made; expiresAt: number }> {
  const expiresAt = Date.now() + inMs
  try {
    return { expiring: await request({ expiresAt: new Date(expiresAt).toISOString() }), expiresAt }
  } catch (error) {
    if (Date.now() <= expiresAt || inMs > 60_000) throw error
    return await expiringSoon(2 * inMs)
  }
}

const page = (path: string): Promise<Response> => fetch(`${world.url}${path}`)
const payUrl = (url: string, deviation: object = {}): Promise<string> =>
  pay(world.chain.connection, payer, url, deviation)

describe('a payment request', () => {
  it('is paid by a wallet that knows only its URL, and is final when the payment is', async () => {
    const paymentRequest = await request({ memo: 'Table 4 & 5', amount: '0.250' })
    const { recipient, amount, splToken, reference, memo } = parseUrl(paymentRequest.url)
    expect([amount.toFixed(), splToken, memo]).toEqual(['0.25', undefined, 'Table 4 & 5'])
    expect(recipient.toBase58()).toBe(shop.onchainId)
    expect(reference!.map(String)).toEqual([paymentRequest.reference])
    expect(paymentRequest.qrCode).toBe(qrSvg(paymentRequest.url))
    expect(await single(paymentRequest)).toMatchObject({
      status: 'OPEN',
      isFinal: false,
      receivedAmount: 0,
      payments: [],
      url: paymentRequest.url,
    })
    const signature = await payUrl(paymentRequest.url)
    expect(await becomes(paymentRequest, { status: 'PAID', isFinal: true, receivedAmount: 0.25 })).toMatchObject({
      payments: [{ onchainId: signature, amount: 0.25, status: 'FINALIZED', late: false }],
    })
    expect((await single(paymentRequest)).endedAt).not.toBeNull()
    await world.api.refuses(400, 'PAYMENT_REQUEST_ENDED', 'PATCH', '/payment-requests/cancel', {
      offchainId: paymentRequest.offchainId,
    })
  })

  it('keeps its wallet from being inactivated until it is paid or cancelled', async () => {
    const account = await world.records.account()
    const paymentRequest = await request({ destination: account })
    const path = '/accounts/inactivate'
    const { message } = await world.api.refuses(400, 'ACCOUNT_IN_USE', 'PATCH', path, { account })
    expect(message).toContain(paymentRequest.offchainId)
    const { offchainId } = paymentRequest
    await world.api.ok(200, 'PATCH', '/payment-requests/cancel', { offchainId })
    await world.api.ok(200, 'PATCH', path, { account })
    await world.api.refuses(400, 'NOT_A_WALLET', 'POST', '/payment-requests', {
      destination: { offchainId: account.offchainId },
      amount: '1',
      externalReference: 'INV-2',
    })
  })

  it('counts the received amount, in one or several payments, independent of instruction data', async () => {
    const paymentRequest = await request()
    // With the reference, but to another recipient.
    const other = await world.records.funded({}, SOL)
    await payUrl(paymentRequest.url, { recipient: new PublicKey(other.onchainId) })
    await payUrl(paymentRequest.url, { amount: '0.5' })
    await becomes(paymentRequest, { status: 'UNDERPAID', receivedAmount: 0.5 })
    await payUrl(paymentRequest.url, { amount: '1' })
    expect((await becomes(paymentRequest, { status: 'PAID', receivedAmount: 1.5 })).payments).toHaveLength(2)
    await payUrl(paymentRequest.url, { amount: '0.1' })
    expect((await becomes(paymentRequest, { status: 'OVERPAID', receivedAmount: 1.6 })).payments).toHaveLength(3)
  })

  it('shares what one transaction pays with the other requests that it names', async () => {
    const payBoth = async (amount: string) => {
      const both = [await request({ amount: '0.25' }), await request({ amount: '0.25' })] as const
      const url = new URL(both[0].url)
      url.searchParams.append('reference', both[1].reference)
      await payUrl(url.href, { amount })
      return both
    }
    const [one, two] = await payBoth('0.25')
    const [paid, open] = await eventually(async () => {
      const now = await Promise.all([single(one), single(two)])
      expect(now.some(({ status }) => status === 'PAID')).toBe(true)
      return now[0].status === 'PAID' ? ([one, two] as const) : ([two, one] as const)
    })
    await payUrl(open.url, { amount: '0.1' })
    await becomes(open, { status: 'UNDERPAID', receivedAmount: 0.1 })
    await becomes(paid, { status: 'PAID', receivedAmount: 0.25 })
    for (const each of await payBoth('0.5')) await becomes(each, { status: 'PAID', receivedAmount: 0.25 })
  })

  it('of an instrument is paid with that instrument only', async () => {
    const { records } = world
    const issuer = await records.account()
    const [cash, newer] = [await records.instrument('SPL', issuer), await records.instrument('TOKEN_2022', issuer)]
    const payerIds = { onchainId: payer.publicKey.toBase58() }
    for (const instrument of [cash, newer]) {
      await records.position(shop, instrument)
      await world.api.ok(201, 'POST', '/positions/mint', {
        destination: { owner: { ...payerIds, offPlatform: true }, financialInstrument: instrument },
        lamports: '1000000000',
        initializeDestinationPositionIfNeeded: true,
      })
    }
    for (const [requestedMint, otherMint] of [
      [cash, newer],
      [newer, cash],
    ] as const) {
      const paymentRequest = await request({ financialInstrument: requestedMint, amount: '0.01' })
      expect(parseUrl(paymentRequest.url).splToken?.toBase58()).toBe(requestedMint.onchainId)
      await payUrl(paymentRequest.url, { splToken: new PublicKey(otherMint.onchainId) })
      await payUrl(paymentRequest.url, { splToken: null, amount: '1' })
      await payUrl(paymentRequest.url)
      expect((await becomes(paymentRequest, { status: 'PAID' })).payments).toHaveLength(1)
    }
  })

  it('is paid according to the library of the ecosystem', async () => {
    const { connection } = world.chain
    const paymentRequest = await request({ amount: '0.125' })
    const { recipient, amount, reference } = parseUrl(paymentRequest.url)
    const signature = await payUrl(paymentRequest.url)
    await becomes(paymentRequest, { status: 'PAID', isFinal: true })
    const payment = await findReference(connection, new PublicKey(paymentRequest.reference))
    expect([payment.signature, (await single(paymentRequest)).payments[0]!.onchainId]).toEqual([signature, signature])
    await validateTransfer(connection, signature, { recipient, amount, reference: reference! })
    // One unit more than the URL requests was not paid.
    const more = { recipient, amount: amount.plus('0.000000001'), reference: reference! }
    await expect(validateTransfer(connection, signature, more)).rejects.toThrow('amount not transferred')
  })

  it('lists payments after its expiry or cancellation as late', async () => {
    const { expiring, expiresAt } = await expiringSoon()
    const cancelled = await request()
    await world.api.ok(200, 'PATCH', '/payment-requests/cancel', { offchainId: cancelled.offchainId })
    await world.api.refuses(400, 'PAYMENT_REQUEST_ENDED', 'PATCH', '/payment-requests/cancel', {
      offchainId: cancelled.offchainId,
    })
    await becomes(expiring, { status: 'EXPIRED', receivedAmount: 0 })
    // The time of its block decides whether a payment is late: whole seconds by the clock of the chain, which differs
    // from that of the machine.
    const endMs = Math.max(expiresAt, Date.parse((await single(cancelled)).endedAt!))
    const { connection } = world.chain
    await eventually(async () =>
      expect((await connection.getBlockTime(await connection.getSlot('confirmed')))! * 1_000).toBeGreaterThan(endMs),
    )
    for (const paymentRequest of [expiring, cancelled]) await payUrl(paymentRequest.url)
    await becomes(expiring, { status: 'EXPIRED', receivedAmount: 0, lateAmount: 1.5 })
    await becomes(cancelled, { status: 'CANCELLED', receivedAmount: 0, lateAmount: 1.5 })
  })

  it('is published in events, once for the creation and once for the end', async () => {
    const paymentRequest = await request({ amount: '0.01' })
    await payUrl(paymentRequest.url)
    await becomes(paymentRequest, { status: 'PAID', isFinal: true })
    const { body } = await world.api.get<{
      items: readonly { type: string; resource: { offchainId: string | null } }[]
    }>('/events?after=0&limit=1000')
    const types = body.items
      .filter(({ resource }) => resource.offchainId === paymentRequest.offchainId)
      .map(({ type }) => type)
    expect([types.at(0), types.at(-1)]).toEqual(['payment_request.created', 'payment_request.closed'])
    expect(types.filter((type) => type !== 'payment_request.updated')).toHaveLength(2)
  })
})

describe('a new payment request', () => {
  it('is created once for one idempotency key, and refused if it cannot be paid', async () => {
    const body = { destination: shop, amount: '2', externalReference: 'INV-2' }
    const make = () =>
      world.api.send<{ newPaymentRequest: Made }>('POST', '/payment-requests', body, { headers: once('invoice') })
    const [first, second] = [await make(), await make()]
    expect([first.status, second.body]).toEqual([201, first.body])
    await world.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', '/payment-requests', {
      ...body,
      destination: { onchainId: Keypair.generate().publicKey.toBase58() },
    })
    await world.api.refuses(400, 'INVALID_VALUE', 'POST', '/payment-requests', {
      ...body,
      expiresAt: new Date(0).toISOString(),
    })
    await world.api.refuses(400, 'TOO_PRECISE', 'POST', '/payment-requests', { ...body, amount: '0.0000000001' })
  })

  it('is invisible to other organizations', async () => {
    const paymentRequest = await request({ externalReference: 'INV-3' })
    const filter = [{ fieldName: 'externalReference', filterValues: [{ filterType: 'EQUALS', valueString: 'INV-3' }] }]
    expect(
      ((await world.api.bulk('/payment-requests/bulk', { filter })) as { items: readonly Made[] }).items,
    ).toMatchObject([{ offchainId: paymentRequest.offchainId, url: paymentRequest.url }])
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'UNPAID', name: 'other' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'UNPAID',
      name: 'all',
      bundle: 'ADMIN',
    })
    const other = world.api.as(apiKey)
    for (const [method, path] of [
      ['POST', 'single'],
      ['PATCH', 'cancel'],
    ] as const)
      await other.refuses(400, 'PAYMENT_REQUEST_NOT_FOUND', method, `/payment-requests/${path}`, {
        offchainId: paymentRequest.offchainId,
      })
    expect(await other.bulk('/payment-requests/bulk', {})).toEqual({ count: 0, items: [] })
  })
})

describe('the page for the payer', () => {
  it('shows the payment request and nothing else, without a key', async () => {
    const paymentRequest = await request({ externalReference: 'SECRET-REF', amount: '0.02' })
    const answer = await page(paymentRequest.payerPage)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const html = await answer.text()
    for (const text of ['0.02 SOL', 'Waiting for payment', qrSvg(paymentRequest.url)]) expect(html).toContain(text)
    for (const text of ['SECRET-REF', paymentRequest.offchainId, shop.offchainId, '<script'])
      expect(html).not.toContain(text)
    await payUrl(paymentRequest.url)
    await becomes(paymentRequest, { status: 'PAID', isFinal: true })
    const paidPage = await (await page(paymentRequest.payerPage)).text()
    expect(paidPage).toContain('Paid')
    for (const text of ['<svg', 'solana:', 'http-equiv="refresh"']) expect(paidPage).not.toContain(text)
  })

  it('is found by reference or record id only, and is rate limited', async () => {
    const paymentRequest = await request()
    expect(await (await page(`/pay/${paymentRequest.offchainId}`)).text()).toBe(
      await (await page(paymentRequest.payerPage)).text(),
    )
    for (const other of [shop.offchainId, randomUUID()]) expect((await page(`/pay/${other}`)).status).toBe(404)
    // In one burst: the rate limit allows two more each second.
    const answers = await Promise.all(Array.from({ length: 60 }, () => page(paymentRequest.payerPage)))
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 429])
  })
})
