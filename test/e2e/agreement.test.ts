// Members that state the same value in two ways are accepted if they agree, and refused with a pointer if they do not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './harness.ts'
import type { Ids, NewAccount, Result } from './models.ts'

const SOL = 1_000_000_000n

let world: World
let feePayer: Ids
let authority: Ids
let owner: Ids
let heir: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
  authority = await world.records.account()
  owner = await world.records.funded({
    tokenDebitLimits: [],
    networkCurrencyDebitLimits: [],
    offchainReferences: { code: 'OWNER' },
  })
  heir = await world.records.funded({ offchainReferences: { code: 'HEIR' } })
})
afterAll(() => world.stop())

const disagrees = async (method: 'POST' | 'PATCH', path: string, body: object, pointer: string): Promise<void> => {
  expect(await world.api.refuses(400, 'MUTUALLY_EXCLUSIVE', method, path, body)).toMatchObject({ pointer })
}

describe('amount and lamports that are both given', () => {
  it('transfer a token if both mean the same', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority)
    const [from, to] = [
      await world.records.position(owner, instrument, 10_000_000n),
      await world.records.position(heir, instrument),
    ]
    const body = { source: { position: from }, destination: { position: to } }
    await disagrees(
      'POST',
      '/positions/transfer',
      { ...body, amount: '1.5', lamports: 1_500_001 },
      '/itemData/lamports',
    )
    await disagrees(
      'POST',
      '/positions/transfer',
      { ...body, amount: 1, lamports: 1_000_000, transferEntireBalance: true },
      '/itemData/transferEntireBalance',
    )
    expect(
      await world.api.ok(201, 'POST', '/positions/transfer', { ...body, amount: '1.5', lamports: 1_500_000 }),
    ).toMatchObject({ success: true })
    await disagrees(
      'POST',
      '/positions/burn',
      { source: { position: from }, amount: 1, lamports: 1 },
      '/itemData/lamports',
    )
    await world.api.ok(201, 'POST', '/positions/burn', { source: { position: from }, amount: 1, lamports: '1000000' })
    await disagrees(
      'POST',
      '/positions/mint',
      { destination: { position: to }, amount: 2, lamports: 2 },
      '/itemData/lamports',
    )
    await world.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: to },
      amount: 2,
      lamports: 2_000_000,
    })
    expect([await world.chain.tokens(from.onchainId), await world.chain.tokens(to.onchainId)]).toEqual([
      7_500_000n,
      3_500_000n,
    ])
    const leg = { source: { position: from }, destination: { position: to } }
    const back = { source: owner, destination: heir, lamports: 5 }
    await disagrees(
      'POST',
      '/positions/trade',
      { legs: [back, { ...leg, amount: 1, lamports: 2 }] },
      '/itemData/legs/1/lamports',
    )
    await world.records.positionsEqualChain(from, to)
  })

  it('agree for a scaled token in UI units, and the raw amount moves', async () => {
    const instrument = await world.records.instrument('TOKEN_2022', authority, {
      scaledUiAmountAuthority: authority,
      scaledUiAmountMultiplier: '1.1',
      onchainData: { decimals: 2 },
    })
    const [from, to] = [
      await world.records.position(owner, instrument, 1_000n),
      await world.records.position(heir, instrument),
    ]
    const body = { source: { position: from }, destination: { position: to } }
    // 7 raw units are displayed as 0.07 (0.077): the displayed amount is parsed as 6.
    await disagrees('POST', '/positions/transfer', { ...body, amount: '0.07', lamports: 8 }, '/itemData/lamports')
    for (const lamports of [6, 7]) {
      const pair = { amount: '0.07', lamports }
      expect(await world.api.ok<Result>(201, 'POST', '/positions/transfer', { ...body, ...pair })).toMatchObject({
        success: true,
      })
    }
    expect(await world.chain.tokens(to.onchainId)).toBe(13n)
  })

  it('transfer network currency if both mean the same', async () => {
    const body = { source: owner, destination: heir }
    const path = '/positions/transfer-network-currency'
    await disagrees('POST', path, { ...body, amount: '0.5', lamports: 5 }, '/itemData/lamports')
    const before = await world.chain.lamports(heir.onchainId)
    await world.api.ok(201, 'POST', path, { ...body, amount: '0.5', lamports: 500_000_000 })
    expect(await world.chain.lamports(heir.onchainId)).toBe(before + SOL / 2n)
  })
})

it('seed an account if both mean the same', async () => {
  await disagrees('POST', '/accounts', { seedAmount: '0.1', seedLamports: 1 }, '/itemData/seedLamports')
  const { newAccount } = await world.api.ok<NewAccount>(201, 'POST', '/accounts', {
    seedAmount: '0.1',
    seedLamports: 100_000_000,
  })
  expect(await world.chain.lamports(newAccount.onchainId)).toBe(SOL / 10n)
})

it('a refund goes to the fee payer if it is named as the destination', async () => {
  const instrument = await world.records.instrument('SPL', authority)
  const position = await world.records.position(owner, instrument)
  const body = { position: { position }, refundSolToFeePayer: true }
  await disagrees(
    'PATCH',
    '/positions/close',
    { ...body, refundSolDestination: owner },
    '/itemData/refundSolDestination',
  )
  await world.api.ok(200, 'PATCH', '/positions/close', { ...body, refundSolDestination: feePayer })
  expect(await world.chain.exists(position.onchainId)).toBe(false)
  await world.records.accountsEqualChain(feePayer, owner)
})

it('ids and references of a lookup must name one record', async () => {
  const read = async (lookup: object) =>
    (await world.api.read<{ offchain: { id: string } }>('/accounts/single', lookup)).offchain.id
  expect(await read({ ...owner, offchainReferences: { code: 'OWNER' } })).toBe(owner.offchainId)
  await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', '/accounts/single', {
    ...owner,
    offchainReferences: { code: 'HEIR' },
  })
  await world.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', '/accounts/single', {
    onchainId: owner.onchainId,
    offchainId: heir.offchainId,
  })
})

it('a debit checked only by the chain reserves at most the balance, so that deposits can be spent', async () => {
  const poor = await world.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  const body = { source: poor, destination: heir }
  const path = '/positions/transfer-network-currency'
  const beyond = await world.api.ok<Result>(201, 'POST', path, {
    ...body,
    lamports: (5n * SOL).toString(),
    offchainBalanceAvailabilityPrecheck: false,
  })
  expect(beyond.success).toBe(false)
  const explanation = await world.api.read<{ reservations: { asset: string; amount: number; offchainId: string }[] }>(
    '/transactions/explain',
    {
      offchainId: beyond.offchainId,
    },
  )
  expect(explanation.reservations.filter(({ offchainId }) => offchainId === poor.offchainId)).toMatchObject([
    { amount: Number(SOL) },
  ])
  // A credit that lands before the failure is final.
  await world.api.ok(201, 'POST', path, { source: owner, destination: poor, lamports: 7_000 })
  expect(await world.api.ok<Result>(201, 'POST', path, { ...body, lamports: 7_000 })).toMatchObject({ success: true })
})
