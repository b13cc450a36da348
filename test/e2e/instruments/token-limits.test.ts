// Debit limits of tokens over HTTP: by operation, by mint authority, and those of a position itself.
import { randomUUID } from 'node:crypto'
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import { createCloseAccountInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../../../src/operations/context/platform.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { LimitFixture, perTransaction, stranger, to, within, type LimitEntry } from '../limits/limit-fixture.ts'
import type { Ids, Result } from '../models.ts'
import { SOL } from '../records.ts'

const TRANSFER = '/positions/transfer'
const BURN = '/positions/burn'

let world: World
let platform: Platform
let fixture: LimitFixture
let issuer: Ids
let other: Ids
/** Mints of the two instruments. */
let gold: Ids
let iron: Ids
let treasury: Ids
let target: Ids
let ironTarget: Ids

beforeAll(async () => {
  world = await startWorld({}, undefined, { opened: (assembled) => (platform = assembled.platform) })
  fixture = new LimitFixture(world)
  await world.records.feePayer()
  ;[issuer, other, treasury] = (await Promise.all([0, 1, 2].map(() => world.records.account()))) as [Ids, Ids, Ids]
  gold = await world.records.instrument('TOKEN_2022', issuer)
  iron = await world.records.instrument('SPL', other)
  target = await world.records.position(treasury, gold)
  ironTarget = await world.records.position(treasury, iron)
})
afterAll(() => world.stop())

const move = (position: Ids, lamports: number, destination = target): object => ({
  source: { position },
  destination: { position: destination },
  lamports,
})
const burn = (position: Ids, lamports: number): object => ({ source: { position }, lamports })
async function passes(path: string, itemData: object): Promise<void> {
  const result = await world.api.ok<Result>(201, 'POST', path, itemData)
  expect(result.success, JSON.stringify(result)).toBe(true)
}
const owner = (tokenDebitLimits: readonly object[]): Promise<Ids> => world.records.account({ tokenDebitLimits })

describe('a token limit', () => {
  it('for BURN limits burns only, and one for TRANSFER the other debits', async () => {
    const wallet = await owner([
      { operationType: 'BURN', maxAllowedDebit: within('0.00001', 'DAYS') },
      { operationType: 'TRANSFER', destination: 'MANAGED', maxAllowedDebit: perTransaction('0.00002') },
    ])
    const position = await world.records.position(wallet, gold, 1_000n)
    await fixture.refuses(BURN, burn(position, 11))
    await passes(BURN, burn(position, 6))
    await passes(TRANSFER, move(position, 20))
    await fixture.refuses(TRANSFER, move(position, 21))
    const problem = await fixture.refuses(BURN, burn(position, 5))
    expect(problem.entries?.map(({ operationType, used, debit }: LimitEntry) => [operationType, used, debit])).toEqual([
      ['BURN', 0.000006, 0.000005],
    ])
    await passes(BURN, burn(position, 4))
    await world.records.positionsEqualChain(position)
  })

  it('does not limit burns by default, and outside addresses receive nothing', async () => {
    const position = await world.records.position(await world.records.account(), gold, 5_000_000n)
    await passes(BURN, burn(position, 3_000_000))
    await passes(TRANSFER, move(position, 1_000_000))
    await fixture.refuses(TRANSFER, {
      source: { position },
      destination: { owner: stranger(), financialInstrument: gold },
      lamports: 1,
      initializeDestinationPositionIfNeeded: true,
    })
  })

  it('with a mint authority applies to each mint of that address separately, onboarded or not', async () => {
    const outside = Keypair.generate().publicKey.toBase58()
    const authority = { onchainId: outside, offPlatform: true }
    const wallet = await owner([
      { mintAuthority: { onchainId: issuer.onchainId }, maxAllowedDebit: within('0.00001', 'DAYS') },
      { mintAuthority: authority, maxAllowedDebit: perTransaction(0) },
    ])
    const limits = (
      await world.api.read<{ tokenDebitLimits: { mintAuthority: object }[] }>('/accounts/single', {
        offchainId: wallet.offchainId,
      })
    ).tokenDebitLimits
    expect(limits.map(({ mintAuthority }) => mintAuthority)).toEqual([issuer, { onchainId: outside }])
    const [golden, ferrous] = [
      await world.records.position(wallet, gold, 1_000n),
      await world.records.position(wallet, iron, 1_000n),
    ]
    await passes(TRANSFER, move(ferrous, 1_000, ironTarget))
    await passes(TRANSFER, move(golden, 10))
    await fixture.refuses(TRANSFER, move(golden, 1))
    const silver = await world.records.instrument('TOKEN_2022', issuer)
    const silvern = await world.records.position(wallet, silver, 100n)
    const silverTarget = await world.records.position(treasury, silver)
    await fixture.refuses(TRANSFER, move(silvern, 11, silverTarget))
    await passes(TRANSFER, move(silvern, 10, silverTarget))
    const foreignInstrument = await world.records.instrument('SPL', authority)
    const [from, into] = [
      await world.records.position(wallet, foreignInstrument),
      await world.records.position(treasury, foreignInstrument),
    ]
    await fixture.refuses(TRANSFER, move(from, 1, into))
  })
})

describe('limits of a position', () => {
  it('apply in addition to those of the owner, and only to that position', async () => {
    const wallet = await owner([to('ANY', perTransaction('0.0001'))])
    const position = await world.records.position(wallet, gold, 1_000n)
    const second = (
      await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
        owner: wallet,
        financialInstrument: gold,
        position: { managed: true },
        tokenDebitLimits: [to('ANY', perTransaction('0.001'))],
      })
    ).newPosition
    await world.records.mint(second, 1_000n)
    await world.api.ok(200, 'PATCH', '/positions', {
      position: { position },
      tokenDebitLimits: [to('MANAGED', within('0.00001', 'HOURS'))],
    })
    const refusedAccounts = async (itemData: object) =>
      (await fixture.refuses(TRANSFER, itemData)).entries?.map(({ account }) => account)
    await passes(TRANSFER, move(position, 10))
    expect(await refusedAccounts(move(position, 1))).toEqual([position])
    expect(await refusedAccounts(move(position, 101))).toEqual([wallet, position])
    expect(await refusedAccounts(move(second, 101))).toEqual([wallet])
    await passes(TRANSFER, move(second, 100))
    await world.api.ok(200, 'PATCH', '/positions', { position: { position }, tokenDebitLimits: null })
    await passes(TRANSFER, move(position, 1))
  })
})

it('limits of a new position beside it and in it must agree, and a refusal points to them', async () => {
  const [strict, loose] = [1, 2].map((amount) => [to('ANY', perTransaction(amount))])
  const body = { owner: await owner([]), financialInstrument: gold }
  const refuses = async (code: string, members: object) =>
    (await world.api.refuses(400, code, 'POST', '/positions', { ...body, ...members })).pointer
  const inside = { isDerived: true, tokenDebitLimits: strict }
  expect(await refuses('MUTUALLY_EXCLUSIVE', { position: inside, tokenDebitLimits: loose })).toBe(
    '/itemData/tokenDebitLimits',
  )
  const unknown = [{ mintAuthority: { offchainId: randomUUID() } }]
  expect(await refuses('ACCOUNT_NOT_FOUND', { tokenDebitLimits: unknown })).toBe(
    '/itemData/tokenDebitLimits/0/mintAuthority',
  )
  expect(await refuses('ACCOUNT_NOT_FOUND', { position: { ...inside, tokenDebitLimits: unknown } })).toBe(
    '/itemData/position/tokenDebitLimits/0/mintAuthority',
  )
  await world.api.ok(201, 'POST', '/positions', { ...body, position: inside, tokenDebitLimits: strict })
})

it('a limit that is set later counts earlier debits, including evicted ones', async () => {
  const wallet = await fixture.wallet([])
  const payments = [await fixture.pay(wallet, stranger(), SOL), await fixture.pay(wallet, stranger(), SOL)]
  // More transactions than stay in memory.
  const another = await fixture.wallet([])
  for (let count = 0; count < 4; count += 1) await fixture.pays(another, stranger(), SOL / 100n)
  await eventually(() => {
    const inMemory = new Set([...platform.engine.directory.entries()].map(({ head }) => head.id))
    expect(payments.filter(({ offchainId }) => inMemory.has(offchainId))).toEqual([])
    return Promise.resolve()
  })
  const change = (code: string, unit: number) =>
    world.api.ok(200, 'PATCH', '/accounts', {
      account: wallet,
      networkCurrencyDebitLimits: [to('OFF_PLATFORM', within(3, code, unit))],
    })
  for (const [code, unit] of [
    ['DAYS', 1],
    ['WEEKS', 1_000_000],
  ] as const) {
    await change(code, unit)
    const problem = await fixture.doesNotPay(wallet, stranger(), SOL + 1n)
    expect(problem.entries?.map(({ used }) => used)).toEqual([2])
  }
  await fixture.pays(wallet, stranger(), SOL)
  await fixture.doesNotPay(wallet, stranger(), 1n)
})

it('deposits that a message makes into an account it closes count, for any recipient', async () => {
  const wallet = await world.records.funded({
    canPayFees: true,
    networkCurrencyDebitLimits: [to('OFF_PLATFORM', perTransaction('0.1'))],
  })
  const { newPosition } = await world.api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', {
    owner: wallet,
    financialInstrument: gold,
  })
  const [from, position] = [new PublicKey(wallet.onchainId), new PublicKey(newPosition.onchainId)]
  const serializedTransaction = await fixture.foreign(wallet.onchainId, [
    SystemProgram.transfer({ fromPubkey: from, toPubkey: position, lamports: Number(SOL) }),
    createCloseAccountInstruction(position, Keypair.generate().publicKey, from, [], TOKEN_2022_PROGRAM_ID),
  ])
  await fixture.refuses('/transactions/sign', { serializedTransaction })
})

it('a wallet can become an account without limits only by a key that may change limits', async () => {
  const organization = await fixture.organization()
  const [clerk, officer] = [await fixture.person(organization, 'OPERATOR'), await fixture.person(organization, 'ADMIN')]
  const account = await world.records.with(clerk.api).account()
  const change = { account, offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } }
  await clerk.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', change)
  await clerk.api.ok(200, 'PATCH', '/accounts', { account, offchainReferences: { type: 'ASSETS_WALLET' } })
  await officer.api.ok(200, 'PATCH', '/accounts', change)
})
