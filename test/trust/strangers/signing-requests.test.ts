// Signature requests of strangers: the transaction of another tenant that needs a key without a grant concerns the
// owner of the key only if the owner accepts such requests.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../fixtures/addresses.ts'
import { startWorld, type World } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { eventsOf, everythingSeenBy, newParty, type Party } from '../fixtures/parties.ts'

const PAY = '/positions/transfer-network-currency'
const MAX_OPEN = 100

let world: World
let stranger: Party
/** Accepts no requests. */
let quiet: Party
/** Accepts them. */
let open: Party
let ownWallet: Ids
let payer: Ids

beforeAll(async () => {
  world = await startWorld()
  ;[stranger, quiet, open] = [
    await newParty(world, 'STRANGER'),
    await newParty(world, 'QUIET'),
    await newParty(world, 'OPEN'),
  ]
  payer = await stranger.records.feePayer()
  ownWallet = await stranger.records.funded({}, SOL)
  await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
})
afterAll(() => world.stop())

const take = (by: Party, source: object) =>
  by.api.send<Result>('POST', PAY, { source, destination: ownWallet, lamports: 1_000 })
const requestSignature = async (source: object, by = stranger): Promise<Result> => {
  const { status, body } = await take(by, source)
  expect([status, body.status], JSON.stringify(body)).toEqual([201, 'PREPARED'])
  return body
}
const listIds = async (by: Party, filter: readonly object[] = []): Promise<readonly string[]> => {
  const { items } = (await by.api.bulk('/transactions/bulk/identifiers', { filter, limit: 1000 })) as {
    items: { offchainId: string }[]
  }
  return items.map(({ offchainId }) => offchainId)
}
const awaiting = (valueBoolean: boolean): object[] => [
  { fieldName: 'awaitsOurSignature', filterValues: [{ filterType: 'EQUALS', valueBoolean }] },
]

describe('attack 13: unsolicited signature requests (14.10)', () => {
  it('an organization that accepts no requests receives none, and no event', async () => {
    const foreignWallet = await quiet.records.funded({}, SOL)
    for (const source of [
      { onchainId: foreignWallet.onchainId },
      { offchainId: foreignWallet.offchainId },
      foreignWallet,
    ]) {
      await stranger.api.refuses(400, 'ACCOUNT_NOT_FOUND', 'POST', PAY, {
        source,
        destination: ownWallet,
        lamports: 1_000,
      })
      await stranger.api.refuses(
        400,
        'ACCOUNT_NOT_FOUND',
        'POST',
        PAY,
        { source: payer, destination: ownWallet, lamports: 1_000 },
        {
          config: { feePayer: source },
        },
      )
    }
    const before = await everythingSeenBy(world, quiet)
    const { offchainId } = await requestSignature({ onchainId: foreignWallet.onchainId, offPlatform: true })
    expect(await everythingSeenBy(world, quiet)).toBe(before)
    const transaction = { offchainId }
    await quiet.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/status', transaction)
    await quiet.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/single', transaction)
    await quiet.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/sign', {
      transaction,
      signers: [foreignWallet],
    })
    expect(await listIds(quiet, awaiting(true))).toEqual([])
    expect(await world.chain.lamports(foreignWallet.onchainId)).toBe(SOL)
    // The requester sees it like a transaction for an unknown address.
    const unknownRequest = await requestSignature({ onchainId: addressOf('nobody'), offPlatform: true })
    const shape = ({ status, success }: Result): object => ({ status, success })
    expect(shape(await stranger.api.read('/transactions/single', transaction))).toEqual(
      shape(await stranger.api.read('/transactions/single', { offchainId: unknownRequest.offchainId })),
    )
  })

  it('a permanent delegate cannot debit a position of it', async () => {
    const owner = await quiet.records.feePayer()
    const instrument = await quiet.records.instrument('SPL', owner)
    const position = await quiet.records.position(owner, instrument, 5n)
    const wallet = await stranger.records.account()
    const body = {
      destination: { owner: wallet, financialInstrument: { offchainId: instrument.offchainId } },
      lamports: 1,
      initializeDestinationPositionIfNeeded: true,
    }
    for (const lookup of [{ offchainId: position.offchainId }, { onchainId: position.onchainId }]) {
      await stranger.api.refuses(400, 'POSITION_NOT_FOUND', 'POST', '/positions/transfer', {
        source: { position: lookup },
        ...body,
      })
    }
    expect(await world.chain.tokens(position.onchainId)).toBe(5n)
  })

  it('one that accepts them lists them under `awaitsOurSignature` only, with one event each', async () => {
    const foreignWallet = await open.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const own = await open.records.account()
    const { offchainId } = await requestSignature({ onchainId: foreignWallet.onchainId })
    expect(await listIds(open)).not.toContain(offchainId)
    expect(
      await listIds(open, [{ fieldName: 'status', filterValues: [{ filterType: 'EQUALS', valueString: 'PREPARED' }] }]),
    ).toEqual([])
    expect(await listIds(open, awaiting(true))).toEqual([offchainId])
    expect(await listIds(open, awaiting(false))).not.toContain(offchainId)
    const received = (await eventsOf(world, open.api)).filter(({ type }) => type.startsWith('transaction.'))
    expect(received.map(({ type, resource }) => [type, resource.offchainId])).toEqual([
      ['transaction.signature_requested', offchainId],
    ])
    // A pending request alone causes no signature.
    const transaction = { offchainId }
    await open.api.refuses(400, 'SIGNERS_REQUIRED', 'POST', '/transactions/sign', { transaction })
    expect((await stranger.api.ok<Result>(200, 'POST', '/transactions/sign', { transaction })).status).toBe('PREPARED')
    // If the owner names it, its key signs, and the requester completes it.
    await open.api.ok(200, 'POST', '/transactions/sign', { transaction, signers: [foreignWallet] })
    expect(await listIds(open, awaiting(true))).toEqual([])
    await stranger.api.ok(200, 'POST', '/transactions/sign', { transaction })
    expect((await stranger.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction })).success).toBe(true)
    expect(await world.chain.lamports(foreignWallet.onchainId)).toBe(SOL - 1_000n)
    await open.records.accountsEqualChain(foreignWallet, own)
    const after = (await eventsOf(world, open.api)).filter(({ type }) => type.startsWith('transaction.'))
    expect(after.map(({ type }) => type)).toEqual(['transaction.signature_requested'])
    expect(await listIds(open)).not.toContain(offchainId)
  })

  it('another organization of the same tenant receives requests as before', async () => {
    const sub = await newParty(world, 'STRANGER-SUB', 'STRANGER')
    const foreignWallet = await sub.records.funded({}, SOL)
    const { offchainId } = await requestSignature(foreignWallet)
    expect(await listIds(sub)).toEqual([offchainId])
    expect(await listIds(sub, awaiting(true))).toEqual([offchainId])
    expect((await eventsOf(world, sub.api)).map(({ type }) => type)).toContain('transaction.prepared')
  })

  it('a request is readable by id while its signature is pending, and not afterwards', async () => {
    const foreignWallet = await open.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const { offchainId } = await requestSignature({ onchainId: foreignWallet.onchainId })
    expect((await open.api.read<Result>('/transactions/status', { offchainId })).status).toBe('PREPARED')
    await stranger.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
    await open.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', '/transactions/status', { offchainId })
    expect(await listIds(open, awaiting(true))).toEqual([])
  })

  it('its key is shown the limits of its own account that a signature exceeds', async () => {
    const foreignWallet = await open.records.funded({}, SOL)
    const { offchainId } = await requestSignature({ onchainId: foreignWallet.onchainId })
    const sign = { transaction: { offchainId }, signers: [foreignWallet] }
    const problem = await open.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', '/transactions/sign', sign)
    const account = { onchainId: foreignWallet.onchainId, offchainId: foreignWallet.offchainId }
    expect((problem as { entries?: readonly object[] }).entries).toMatchObject([
      { account, destination: 'OFF_PLATFORM', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 0 } },
      { account, destination: 'OFF_PLATFORM', maxAllowedDebit: { limitType: 'DURATION', limitAmount: 0 } },
    ])
    await stranger.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
  })

  it(`a tenant has at most ${MAX_OPEN} requests open`, async () => {
    const busy = await newParty(world, 'BUSY')
    await busy.records.feePayer()
    const foreignWallet = await open.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
    const source = { onchainId: foreignWallet.onchainId }
    const requests: Result[] = []
    while (requests.length < MAX_OPEN) requests.push(await requestSignature(source, busy))
    const response = await take(busy, source)
    expect([
      response.status,
      (response.body as unknown as { errors: { code: string; retryable: boolean }[] }).errors[0],
    ]).toMatchObject([429, { code: 'TOO_MANY_SIGNING_REQUESTS', retryable: true }])
    // Other requesters are not blocked, nor are transactions without a request.
    await requestSignature(source)
    await requestSignature({ onchainId: addressOf('outside'), offPlatform: true }, busy)
    await busy.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: requests[0]!.offchainId })
    await requestSignature(source, busy)
  })
})
