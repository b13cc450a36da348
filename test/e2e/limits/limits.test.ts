// Debit limits over HTTP: defaults, entries, windows, and every operation that takes something from an account.
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, stranger, to, within, type Held, type LimitEntry } from './limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

let world: World
let fixture: LimitFixture
let managed: Ids

beforeAll(async () => {
  world = await startWorld()
  fixture = new LimitFixture(world)
  await world.records.feePayer()
  managed = await world.records.funded({}, SOL)
})
afterAll(() => world.stop())

describe('default limits', () => {
  it('let a wallet pay outside addresses nothing, keys held elsewhere one unit, its tenant any amount', async () => {
    const wallet = await fixture.wallet()
    const nonManaged = await Promise.all([fixture.recordOutside(), fixture.importWallet()])
    await fixture.doesNotPay(wallet, stranger(), SOL / 100n)
    for (const destination of nonManaged) {
      await fixture.doesNotPay(wallet, destination, SOL + 1n)
      await fixture.pays(wallet, destination, SOL)
      await fixture.pays(wallet, destination, SOL)
    }
    await fixture.pays(wallet, managed, 20n * SOL)
  })

  it('treat an account with an exported key as held elsewhere, one of another tenant as unknown', async () => {
    const wallet = await fixture.wallet()
    const exported = await world.records.funded({}, SOL)
    await fixture.pays(wallet, exported, 2n * SOL)
    await world.api.read('/accounts/single/private-key', { offchainId: exported.offchainId })
    await fixture.doesNotPay(wallet, exported, 2n * SOL)
    const other = await world.records.with((await fixture.person(await fixture.organization(), 'ADMIN')).api).account()
    await fixture.doesNotPay(wallet, { offchainId: other.offchainId }, SOL)
    await fixture.doesNotPay(wallet, { onchainId: other.onchainId, offPlatform: true }, SOL)
    const externalAccount = await world.records.account({ managed: false, onchainId: other.onchainId })
    await fixture.doesNotPay(wallet, externalAccount, 2n * SOL)
    await fixture.pays(wallet, externalAccount, SOL)
  })

  it('are restored with null, and removed with an empty list', async () => {
    const wallet = await fixture.wallet([])
    await fixture.pays(wallet, stranger(), SOL)
    const change = (networkCurrencyDebitLimits: unknown) =>
      world.api.ok(200, 'PATCH', '/accounts', { account: wallet, networkCurrencyDebitLimits })
    await change(null)
    await fixture.doesNotPay(wallet, stranger(), SOL)
    await change([])
    await fixture.pays(wallet, stranger(), SOL)
  })
})

describe('a limit', () => {
  it('replaces the defaults, is exact to the lamport, and is named by the refusal', async () => {
    const wallet = await fixture.wallet([to('OFF_PLATFORM', perTransaction('0.100000001'))])
    await fixture.pays(wallet, stranger(), 100_000_001n)
    const problem = await fixture.doesNotPay(wallet, stranger(), 100_000_002n)
    expect(problem.entries).toEqual([
      {
        account: wallet,
        operationType: 'ANY',
        destination: 'OFF_PLATFORM',
        maxAllowedDebit: {
          limitType: 'PER_TRANSACTION',
          limitAmount: 0.100000001,
          duration: null,
          approversForOverride: [],
          requiredApproversCount: 0,
        },
        debit: 0.100000002,
        used: 0,
        verdict: 'EXCEEDED',
      },
    ])
    await fixture.pays(wallet, await fixture.recordOutside(), 5n * SOL)
  })

  it('is returned as it was given, and can be sent back', async () => {
    const entry = to('MANAGED', { limitType: 'DURATION', limitAmount: 2, duration: { code: 'HOURS', unit: 3 } })
    const wallet = await fixture.wallet([entry, to('OFF_PLATFORM', perTransaction('1'))])
    const read = async () => (await world.records.accountRecord(wallet)).networkCurrencyDebitLimits
    const before = await read()
    expect(before).toMatchObject([
      entry,
      to('OFF_PLATFORM', { limitType: 'PER_TRANSACTION', limitAmount: 1, duration: null }),
    ])
    expect(before.map((limit) => Object.keys(limit))).toEqual([
      ['destination', 'maxAllowedDebit'],
      ['destination', 'maxAllowedDebit'],
    ])
    await world.api.ok(200, 'PATCH', '/accounts', { account: wallet, networkCurrencyDebitLimits: before })
    expect(await read()).toEqual(before)
  })

  it('counts all legs of a transaction that it covers', async () => {
    const wallet = await fixture.wallet([to('ANY', perTransaction(3)), to('MANAGED', perTransaction(1))])
    const legs = (...lamports: bigint[]) => ({
      legs: lamports.map((each, index) => ({
        source: { owner: wallet },
        destination: { owner: index === 0 ? managed : stranger() },
        lamports: each.toString(),
      })),
    })
    const destinationsOf = (problem: { entries?: readonly LimitEntry[] }) =>
      problem.entries?.map(({ destination }) => destination)
    expect(destinationsOf(await fixture.refuses('/positions/trade', legs(SOL, 2n * SOL + 1n)))).toEqual(['ANY'])
    expect(destinationsOf(await fixture.refuses('/positions/trade', legs(SOL + 1n, SOL, SOL)))).toEqual([
      'ANY',
      'MANAGED',
    ])
    const traded = await world.api.ok<Held>(201, 'POST', '/positions/trade', legs(SOL, SOL, SOL))
    expect(traded.success).toBe(true)
  })

  it('with a duration counts the debits of that time', async () => {
    const wallet = await fixture.wallet([to('OFF_PLATFORM', within(1, 'HOURS')), to('ANY', within(2, 'DAYS'))])
    await fixture.pays(wallet, stranger(), (SOL * 6n) / 10n)
    const problem = await fixture.doesNotPay(wallet, stranger(), SOL / 2n)
    expect(problem.entries?.map(({ used, debit }) => [used, debit])).toEqual([[0.6, 0.5]])
    await fixture.pays(wallet, stranger(), (SOL * 4n) / 10n)
    await fixture.doesNotPay(wallet, stranger(), 1_000_000n)
    await fixture.pays(wallet, managed, SOL)
    await fixture.doesNotPay(wallet, managed, 1n)
  })

  it('counts signed transactions that are not sent; prepared and cancelled ones do not count', async () => {
    const wallet = await fixture.wallet([to('ANY', within(1, 'DAYS'))])
    const first = await fixture.pay({ ...wallet, autoSign: false }, managed, SOL)
    expect(first.status).toBe('PREPARED')
    const second = await fixture.pay({ ...wallet, autoSign: false }, managed, SOL)
    const sign = ({ offchainId }: Held) => fixture.answer('/transactions/sign', { transaction: { offchainId } })
    expect((await sign(first)).body.status).toBe('SIGNED')
    const response = await sign(second)
    expect([response.status, response.body.errors?.[0]?.code]).toEqual([400, 'DEBIT_LIMIT_EXCEEDED'])
    await fixture.doesNotPay(wallet, managed, 1n)
    const cancelled = await world.api.ok<Held>(200, 'PATCH', '/transactions/cancel', {
      offchainId: first.offchainId,
    })
    expect(cancelled.status).toBe('CANCELLED')
    expect((await sign(second)).body.status).toBe('SIGNED')
  })

  it('is evaluated before a signature, in a dry run and in an explanation', async () => {
    const wallet = await fixture.wallet([to('ANY', within(2, 'WEEKS'))])
    const dry = await world.api.ok<{ dryRun: { limits: LimitEntry[] } }>(
      200,
      'POST',
      PAY,
      { source: wallet, destination: managed, amount: 3 },
      { headers: { 'Holdfast-Dry-Run': 'true' } },
    )
    expect(dry.dryRun.limits.map(({ verdict, debit }) => [verdict, debit])).toEqual([['EXCEEDED', 3]])
    const { offchainId } = await fixture.pay(wallet, managed, SOL)
    const { checks } = await world.api.read<{
      checks: { rule: string; verdict: string; judgedOn: { limits: LimitEntry[] } }[]
    }>('/transactions/explain', { offchainId })
    const check = checks.find(({ rule }) => rule === 'DEBIT_LIMITS')
    expect([check?.verdict, check?.judgedOn.limits[0]?.verdict, check?.judgedOn.limits[0]?.debit]).toEqual([
      'PASSED',
      'PASSED',
      1,
    ])
  })
})

describe('rent and seeds', () => {
  it('count as debits: rent of own accounts is internal, a seed counts by the key of the new account', async () => {
    const payer = await world.records.feePayer({
      networkCurrencyDebitLimits: [to('NON_MANAGED', perTransaction(1)), to('MANAGED', perTransaction(3))],
    })
    const seed = (seedAmount: number, more: object) => ({ seedAmount, ...more })
    const config = { config: { feePayer: payer } }
    const elsewhere = () => ({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() })
    await fixture.refuses('/accounts', seed(1.1, elsewhere()), config)
    await world.records.account(seed(1, elsewhere()), config)
    await fixture.refuses('/accounts', seed(3.1, {}), config)
    await world.records.account(seed(3, {}), config)
    await world.records.account({ dataLength: 10 }, config)
  })
})

describe('a message made elsewhere', () => {
  it('is evaluated by leg like other transactions, and a wallet with limits signs for no other program', async () => {
    const wallet = await world.records.funded({
      canPayFees: true,
      networkCurrencyDebitLimits: [to('ANY', perTransaction(1))],
    })
    const from = new PublicKey(wallet.onchainId)
    const pay = (lamports: bigint) =>
      SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: Number(lamports) })
    const both = await fixture.foreign(wallet.onchainId, [pay(SOL / 2n), pay(SOL / 2n + 1n)])
    await fixture.refuses('/transactions/sign', { serializedTransaction: both })
    await fixture.refuses('/transactions/submit', { serializedTransaction: both })
    const little = await fixture.answer('/transactions/sign', {
      serializedTransaction: await fixture.foreign(wallet.onchainId, [pay(SOL / 2n)]),
    })
    expect(little.body.status).toBe('SIGNED')
  })

  it('that calls a program allowed by the organization is not signed by a wallet with limits', async () => {
    const program = Keypair.generate().publicKey
    const organization = await fixture.organization()
    const { api } = await fixture.person(organization, 'ADMIN')
    await api.ok(200, 'PATCH', '/admin/organizations', {
      externalId: organization,
      allowedPrograms: [program.toBase58()],
    })
    const records = world.records.with(api)
    const limitedWallet = await records.funded({ canPayFees: true })
    const free = await records.funded({ canPayFees: true, networkCurrencyDebitLimits: [], tokenDebitLimits: [] })
    const signForeign = async ({ onchainId }: Ids) => {
      const keys = [{ pubkey: new PublicKey(onchainId), isSigner: true, isWritable: true }]
      const serializedTransaction = await fixture.foreign(onchainId, [
        new TransactionInstruction({ programId: program, keys, data: Buffer.from([1]) }),
      ])
      return await fixture.answer('/transactions/sign', { serializedTransaction }, api)
    }
    const response = await signForeign(limitedWallet)
    expect([response.status, response.body.errors?.[0]?.code]).toEqual([403, 'INSTRUCTION_NOT_ALLOWED'])
    expect((await signForeign(free)).body.status).toBe('SIGNED')
  })
})

it('is evaluated by the limits of the owner of each signing wallet, without revealing more', async () => {
  const [ownOrganization, otherOrganization] = [await fixture.organization(), await fixture.organization()]
  const { api } = await fixture.person(ownOrganization, 'ADMIN')
  const owner = await fixture.person(otherOrganization, 'ADMIN')
  const source = await world.records.with(owner.api).funded({
    orgsAllowedToSignWithPrivateKey: [ownOrganization],
    networkCurrencyDebitLimits: [to('OFF_PLATFORM', within(1, 'DAYS')), to('NON_MANAGED', perTransaction(0))],
  })
  const records = world.records.with(api)
  await records.feePayer()
  const destination = await records.account()
  const pay = { source: { onchainId: source.onchainId }, destination }
  const problem = await fixture.refuses(PAY, { ...pay, amount: 1.5 }, {}, api)
  expect(problem.entries).toBeUndefined()
  await fixture.pay(pay.source, destination, SOL, {}, api)
  await fixture.refuses(PAY, { ...pay, lamports: 1 }, {}, api)
})
