// Transactions over HTTP: how long an answer waits, the record compared with the chain, dry runs and fees.
import { VersionedMessage } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Balance, DryRun, Ids, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const PATH = '/positions/transfer-network-currency'
const REACHED = ['SIGNED', 'SUBMITTED', 'PROCESSED', 'CONFIRMED', 'FINALIZED']
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

let world: World
let feePayer: Ids
let source: Ids
let destination: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  ;[source, destination] = await Promise.all([world.records.funded({}, 10n * SOL), world.records.funded({}, SOL)])
})
afterAll(() => world.stop())

const pay = (
  config: object = {},
  headers: Readonly<Record<string, string>> = {},
  members: object = { lamports: 1_000 },
) => world.api.send<Result>('POST', PATH, { source, destination, ...members }, { config, headers })
const details = (offchainId: string): Promise<TransactionRecord> =>
  world.api.read('/transactions/single', { offchainId })
const expectSettled = () => world.records.accountsEqualChain(source, destination, feePayer)

describe('waiting', () => {
  it('answers at confirmed by default', async () => {
    const { body, headers } = await pay()
    expect(['CONFIRMED', 'FINALIZED']).toContain(body.status)
    expect(headers.get('preference-applied')).toBeNull()
    const { value } = await world.chain.connection.getSignatureStatuses([body.onchainId!])
    expect(value[0]).toMatchObject({ err: null })
    await expectSettled()
  })

  it.each([
    ['processed', ['PROCESSED', 'CONFIRMED', 'FINALIZED']],
    ['confirmed', ['CONFIRMED', 'FINALIZED']],
    ['finalized', ['FINALIZED']],
  ])('answers at %s', async (commitmentLevel, statuses) => {
    const { body } = await pay({ commitmentConfig: { commitmentLevel } })
    expect(statuses).toContain(body.status)
    expect(body.success).toBe(true)
    if (commitmentLevel === 'finalized') {
      const onchainTransaction = await world.chain.connection.getTransaction(body.onchainId!, {
        commitment: 'finalized',
        maxSupportedTransactionVersion: 0,
      })
      expect(onchainTransaction?.meta?.err).toBeNull()
    }
  })

  it.each([
    ['respond-async', 'respond-async'],
    ['wait=0', 'wait=0'],
    ['respond-async, wait=0', 'respond-async, wait=0'],
  ])('does not wait with Prefer: %s', async (prefer, applied) => {
    const { status, body, headers } = await pay(
      { commitmentConfig: { commitmentLevel: 'finalized' } },
      { Prefer: prefer },
    )
    expect([status, headers.get('preference-applied'), body.success]).toEqual([201, applied, true])
    expect(REACHED).toContain(body.status)
    expect(body.onchainId).not.toBeNull()
    const final = await eventually(async () => {
      const result = await world.api.read<Result>('/transactions/status', { offchainId: body.offchainId })
      expect(result.status).toBe('FINALIZED')
      return result
    })
    expect(final.onchainId).toBe(body.onchainId)
    await expectSettled()
  })
})

describe('the record of a transaction', () => {
  it('matches the transaction on chain', async () => {
    const { body } = await pay(
      { commitmentConfig: { commitmentLevel: 'finalized' } },
      {},
      { amount: '0.25', memo: 'described' },
    )
    const record = await details(body.offchainId)
    const onchainTransaction = await world.chain.transaction(body.onchainId!)
    const { message } = onchainTransaction.transaction
    expect(Buffer.from(record.serializedMessage, 'base64').equals(Buffer.from(message.serialize()))).toBe(true)
    expect(VersionedMessage.deserializeMessageVersion(Buffer.from(record.serializedMessage, 'base64'))).toBe(0)
    expect(record).toMatchObject({
      success: true,
      status: 'FINALIZED',
      onchainId: body.onchainId,
      offchainId: body.offchainId,
      fee: onchainTransaction.meta!.fee / 1e9,
      feePayer,
      recentBlockhash: message.recentBlockhash,
      messageLifetimeStrategy: 'RECENT_BLOCKHASH',
      nonceAccount: null,
      transactionVersion: 'V0',
      slot: onchainTransaction.slot,
      computeUnitPrice: null,
      endpoint: 'POST /api/v1/positions/transfer-network-currency',
      tenantOrganizationId: 'SYSTEM',
    })
    expect(record.accounts.map(({ onchainId }) => onchainId)).toEqual(
      message.staticAccountKeys.map((key) => key.toBase58()),
    )
    expect(
      record.accounts
        .filter(({ offchainId }) => offchainId !== null)
        .map(({ offchainId }) => offchainId)
        .sort(),
    ).toEqual([source, destination, feePayer].map(({ offchainId }) => offchainId).sort())
    expect(record.instructions).toHaveLength(message.compiledInstructions.length)
    expect(record.instructions.map(({ programId }) => programId)).toEqual(
      message.compiledInstructions.map(({ programIdIndex }) => message.staticAccountKeys[programIdIndex]!.toBase58()),
    )
    expect(record.txnTimestamp).toMatch(MICROSECONDS)
    expect(record.preparedAt).toMatch(MILLISECONDS)
    expect(record.lastValidBlockHeight).toBeGreaterThan(0)
    expect(record.computeUnitsLimit).toBeGreaterThanOrEqual(onchainTransaction.meta!.computeUnitsConsumed!)
    expect(Date.parse(record.blockTime!) / 1000).toBe(onchainTransaction.blockTime)
    expect(record.blockTime).toMatch(MILLISECONDS)
    expect(record).not.toHaveProperty('errorMessage')
  })

  it('contains the consumed compute units', async () => {
    const { body } = await pay({ commitmentConfig: { commitmentLevel: 'finalized' } })
    const { meta } = await world.chain.transaction(body.onchainId!)
    expect((await details(body.offchainId)).computeUnitsConsumed).toBe(meta!.computeUnitsConsumed)
  })

  it('contains the consumed compute units in a detailed list as well', async () => {
    const { body } = await pay()
    const { meta } = await world.chain.transaction(body.onchainId!)
    const { offchainId } = body
    const filter = [{ fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }]
    expect(await world.api.bulk('/transactions/bulk/detailed', { filter })).toMatchObject({
      items: [{ offchainId, computeUnitsConsumed: meta!.computeUnitsConsumed }],
    })
  })

  it('contains compute units without a query, so that filters find them', async () => {
    const { body } = await pay(
      { commitmentConfig: { commitmentLevel: 'finalized' } },
      {},
      { lamports: 1, memo: 'an unusual number of units' },
    )
    const { meta } = await world.chain.transaction(body.onchainId!)
    const filter = [
      { fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: body.offchainId }] },
      {
        fieldName: 'computeUnitsConsumed',
        filterValues: [{ filterType: 'EQUALS', valueNumber: meta!.computeUnitsConsumed }],
      },
    ]
    await eventually(async () => {
      expect(await world.api.bulk('/transactions/bulk/detailed', { filter })).toMatchObject({
        count: 1,
        items: [{ offchainId: body.offchainId }],
      })
    })
  })

  it('contains every state in order', async () => {
    const { body } = await pay({ commitmentConfig: { commitmentLevel: 'finalized' } })
    const { history } = await details(body.offchainId)
    const states = history.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1])
    const order = ['PREPARED', ...REACHED]
    expect(states).toEqual(order.filter((status) => states.includes(status)))
    expect(states).toEqual(expect.arrayContaining(['PREPARED', 'SIGNED', 'SUBMITTED', 'FINALIZED']))
    const times = history.map(({ at }) => Date.parse(at))
    expect(times).toEqual([...times].sort((one, other) => one - other))
  })

  it('is found by either id, and by both only if they match', async () => {
    const [one, other] = await Promise.all([pay(), pay()])
    const { offchainId, onchainId } = one.body
    for (const path of ['/transactions/single', '/transactions/status']) {
      for (const reference of [{ offchainId }, { onchainId }, { offchainId, onchainId }]) {
        expect(await world.api.read(path, reference)).toMatchObject({ offchainId, onchainId, success: true })
      }
      const refuses = (code: string, reference: object) => world.api.refuses(400, code, 'POST', path, reference)
      await refuses('LOOKUP_MISMATCH', { offchainId, onchainId: other.body.onchainId })
      await refuses('TRANSACTION_NOT_FOUND', { offchainId: source.offchainId })
      await refuses('TRANSACTION_NOT_FOUND', { onchainId: '1'.repeat(64) })
      await refuses('REQUIRED', {})
    }
  })
})

describe('dry run', () => {
  const DRY = { 'Holdfast-Dry-Run': 'true' }
  const dryRun = async (method: 'POST' | 'PATCH', path: string, itemData: object): Promise<DryRun['dryRun']> =>
    (await world.api.ok<DryRun>(200, method, path, itemData, { headers: DRY })).dryRun

  it('reports that a key is held here, even if it is not to sign now', async () => {
    const preview = await dryRun('POST', PATH, { source: { ...source, autoSign: false }, destination, lamports: 1 })
    expect(preview.signers).toContainEqual({ onchainId: source.onchainId, managed: true })
  })

  it('returns fee, size, signers and simulation, and changes nothing', async () => {
    const before = await world.chain.signatures(source.onchainId)
    const preview = await dryRun('POST', PATH, { source, destination, lamports: 1, memo: 'dry' })
    expect(preview).toMatchObject({ feeLamports: 10_000, simulation: { error: null } })
    expect(preview.signers).toEqual([
      { onchainId: feePayer.onchainId, managed: true },
      { onchainId: source.onchainId, managed: true },
    ])
    expect(preview.accounts).toEqual(expect.arrayContaining([source.onchainId, destination.onchainId]))
    expect(preview.sizeBytes).toBeGreaterThan(200)
    expect(preview.simulation.computeUnits).toBeGreaterThan(0)
    expect(await world.chain.signatures(source.onchainId)).toEqual(before)
    await expectSettled()
    const real = await pay({}, {}, { lamports: 1, memo: 'dry' })
    const wire = await world.chain.transaction(real.body.onchainId!)
    expect(preview.sizeBytes).toBe(
      1 + 64 * wire.transaction.signatures.length + wire.transaction.message.serialize().length,
    )
  })

  it('leaves no records', async () => {
    const authority = await world.records.account()
    const instrument = await world.records.instrument('TOKEN_2022', authority)
    await dryRun('POST', '/accounts', { seedAmount: 1, offchainReferences: { code: 'dry account' } })
    await world.api.refuses(404, 'ACCOUNT_NOT_FOUND', 'POST', '/accounts/single', {
      offchainReferences: { code: 'dry account' },
    })
    await dryRun('POST', '/financial-instruments', {
      mintAccount: { offchainReferences: { code: 'dry mint' } },
      version: 'SPL',
      mintAuthority: authority,
    })
    await world.api.refuses(404, 'INSTRUMENT_NOT_FOUND', 'POST', '/financial-instruments/single', {
      offchainReferences: { code: 'dry mint' },
    })
    const place = { owner: authority, financialInstrument: instrument }
    await dryRun('POST', '/positions', place)
    await dryRun('POST', '/positions/mint', {
      destination: place,
      lamports: 1,
      initializeDestinationPositionIfNeeded: true,
    })
    await world.api.refuses(404, 'POSITION_NOT_FOUND', 'POST', '/positions/single', place)
    const position = await world.records.position(authority, instrument, 5n)
    await dryRun('PATCH', '/positions/close', { position: { position }, burnRemainingTokenBalance: true })
    await dryRun('POST', '/positions/burn', { source: { position }, lamports: 5 })
    expect(await world.chain.tokens(position.onchainId)).toBe(5n)
    await world.records.positionsEqualChain(position)
    await expectSettled()
  })

  it('returns the result of the chain, and the refusal that a request would get', async () => {
    const preview = await dryRun('POST', PATH, {
      source,
      destination,
      lamports: (100n * SOL).toString(),
      offchainBalanceAvailabilityPrecheck: false,
    })
    expect(preview.simulation.error).not.toBeNull()
    await world.api.refuses(
      400,
      'INSUFFICIENT_BALANCE',
      'POST',
      PATH,
      { source, destination, lamports: (100n * SOL).toString() },
      { headers: DRY },
    )
    await world.api.refuses(400, 'DRY_RUN_WITHOUT_TRANSACTION', 'POST', '/accounts', {}, { headers: DRY })
    await world.api.refuses(
      400,
      'MALFORMED_HEADER',
      'POST',
      PATH,
      { source, destination, lamports: 1 },
      { headers: { 'Holdfast-Dry-Run': 'perhaps' } },
    )
    await expectSettled()
  })
})

describe('configuration', () => {
  it('applies a compute limit and a price, and pays their cost', async () => {
    const { body } = await pay({ computeUnitConfig: { limit: 10_000, price: 333_333 } })
    expect(await world.chain.fee(body.onchainId!)).toBe(10_000n + 3_334n)
    expect(await details(body.offchainId)).toMatchObject({ computeUnitsLimit: 10_000, fee: 0.000013334 })
    expect(Number((await details(body.offchainId)).computeUnitPrice)).toBe(333_333)
    await expectSettled()
  })

  it('refuses a fee over the limit before a signature', async () => {
    const before = await world.chain.lamports(feePayer.onchainId)
    const config = { computeUnitConfig: { limit: 1_000_000, price: 10_000_000 } }
    const problem = await world.api.refuses(
      400,
      'FEE_TOO_HIGH',
      'POST',
      PATH,
      { source, destination, lamports: 1 },
      { config },
    )
    expect(problem.message).toContain('10010000')
    expect((await pay({ computeUnitConfig: { limit: 1_000_000, price: 9_990_000 } })).body.success).toBe(true)
    expect(await world.chain.lamports(feePayer.onchainId)).toBe(before - 10_000_000n)
    await expectSettled()
  })

  it('takes the compute limit from a simulation if it is only enabled', async () => {
    const { body } = await pay({ computeUnitConfig: { enable: true, price: 1_000 } })
    expect(body.success, JSON.stringify(body)).toBe(true)
    const { computeUnitsLimit } = await details(body.offchainId)
    const consumed = (await world.chain.transaction(body.onchainId!)).meta!.computeUnitsConsumed!
    expect(computeUnitsLimit).toBeGreaterThanOrEqual(consumed)
    expect(computeUnitsLimit).toBeLessThan(2 * consumed + 1_000)
    await expectSettled()
  })

  it('estimates a price from recent fees', async () => {
    const { body } = await pay({
      computeUnitConfig: {
        priceEstimate: { provider: 'NETWORK', calculationStrategy: 'DEFAULT', priorityLevel: 'HIGH' },
      },
    })
    expect(body.success, JSON.stringify(body)).toBe(true)
    await expectSettled()
  })

  it('builds a legacy transaction on request', async () => {
    const { body } = await pay({ transactionVersion: 'LEGACY' })
    expect(VersionedMessage.deserializeMessageVersion(Buffer.from(body.serializedMessage, 'base64'))).toBe('legacy')
    expect((await world.chain.transaction(body.onchainId!)).version).toBe('legacy')
    expect(await details(body.offchainId)).toMatchObject({ transactionVersion: 'LEGACY' })
  })

  it('leases no nonce if none exists', async () => {
    const config = { messageLifetimeStrategy: 'DURABLE_NONCE' }
    await world.api.refuses(400, 'NONCE_UNAVAILABLE', 'POST', PATH, { source, destination, lamports: 1 }, { config })
  })
})

it('shows pending debits as reserved, never more than the balance', async () => {
  const poor = await world.records.funded({}, SOL)
  const body = { source: poor, destination, lamports: 300_000_000 }
  const responses = await Promise.all(
    Array.from({ length: 3 }, () =>
      world.api.send<Result>('POST', PATH, body, { headers: { Prefer: 'respond-async' } }),
    ),
  )
  const { offchain, reserved, available } = await world.api.read<Balance>('/accounts/single/balance', poor)
  expect(BigInt(available.lamports)).toBe(BigInt(offchain.lamports) - BigInt(reserved.lamports))
  expect(BigInt(available.lamports)).toBe(100_000_000n)
  await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PATH, body)
  await eventually(() => world.records.accountsEqualChain(poor))
  expect(new Set(responses.map(({ body: { onchainId } }) => onchainId)).size).toBe(3)
})
