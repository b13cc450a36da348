// Durable nonces over HTTP: created, leased, and released by the chain alone. The chain is read over a separate
// connection.
import { Keypair, NonceAccount, NONCE_ACCOUNT_LENGTH, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { once } from '../client.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Account, DryRun, Ids, NewAccount, Problems, Result, TransactionRecord } from '../models.ts'
import {
  DURABLE,
  NONCES,
  NonceFixture,
  PAY,
  where,
  type CreatedNonces,
  type Nonce,
  type Page,
} from './nonce-fixture.ts'
import { SOL } from '../records.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const nonceOf = ({ nonceAccount }: TransactionRecord): Ids => nonceAccount!

describe('nonce accounts', () => {
  it('are created by the dozen, in as few transactions as possible, with their values from the chain', async () => {
    const [feePayer, authority] = [await world.records.feePayer(), await world.records.account()]
    const itemData = { nonceAuthority: authority, count: 12 }
    const headers = once('a dozen')
    const answer = await world.api.send<CreatedNonces>('POST', NONCES, itemData, { headers })
    expect(answer.status).toBe(201)
    const { newDurableNonceAccounts: newNonces, chainTransactions, chainTransaction } = answer.body
    expect(new Set(newNonces.map(({ onchainId }) => onchainId)).size).toBe(12)
    // Four fit: each brings a signature, an address and two instructions.
    expect(chainTransactions.map(({ success }) => success)).toEqual([true, true, true])
    expect(chainTransaction).toEqual(chainTransactions.at(-1))
    const rent = await world.chain.rent(NONCE_ACCOUNT_LENGTH)
    for (const { onchainId } of newNonces) {
      const info = (await world.chain.account(onchainId))!
      expect([info.owner.equals(SystemProgram.programId), BigInt(info.lamports)]).toEqual([true, rent])
      expect(NonceAccount.fromAccountData(info.data).authorizedPubkey.toBase58()).toBe(authority.onchainId)
    }
    await world.records.accountsEqualChain(feePayer, ...newNonces)
    const replayed = await world.api.send<CreatedNonces>('POST', NONCES, itemData, { headers })
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.body.newDurableNonceAccounts).toEqual(newNonces)
    expect(replayed.body.chainTransactions.map(({ offchainId }) => offchainId)).toEqual(
      chainTransactions.map(({ offchainId }) => offchainId),
    )
  })

  it('are shown with their value at confirmed while their creation is not final', async () => {
    const slow = await startWorld({ HOLDFAST_EMBEDDED_FINALITY_SLOTS: '10000' })
    try {
      const [, authority] = [await slow.records.feePayer(), await slow.records.account()]
      const { newDurableNonceAccounts } = await slow.api.ok<CreatedNonces>(201, 'POST', NONCES, {
        nonceAuthority: authority,
        count: 2,
      })
      const { items } = (await slow.api.bulk(`${NONCES}/bulk`, {})) as Page<Nonce>
      const hashes = Object.fromEntries(
        items.map(({ nonceAccount, nonceHash }) => [nonceAccount.onchain.id, nonceHash]),
      )
      for (const { onchainId } of newDurableNonceAccounts) {
        const { data } = (await slow.chain.account(onchainId))!
        expect(hashes[onchainId]).toBe(NonceAccount.fromAccountData(data).nonce)
      }
    } finally {
      await slow.stop()
    }
  })

  it('are shown with authority, value, and on request the location of the key', async () => {
    const fixture = await NonceFixture.open(world, 'SHOWN', 2)
    const [first] = fixture.nonces as [Ids, Ids]
    const record = await fixture.nonce(first)
    expect(record).toMatchObject({
      nonceAccount: {
        onchain: { id: first.onchainId },
        offchain: { id: first.offchainId, type: 'NONCE' },
        managed: true,
        status: 'ACTIVE',
      },
      nonceAuthority: {
        onchain: { id: fixture.authority.onchainId },
        offchain: { id: fixture.authority.offchainId },
        managed: true,
        tenantOrganizationId: 'SHOWN',
      },
      nonceHash: await fixture.value(first),
      inUse: null,
    })
    expect(record).not.toHaveProperty('privateKeyDetails')
    const byAuthority = [where('nonceAuthorityOffchainId', 'EQUALS', { valueString: fixture.authority.offchainId })]
    const page = await fixture.query(
      { itemsQuery: { filter: byAuthority }, outputConfig: { excludePrivateKeyDetails: false } },
      `${NONCES}/single`,
    )
    expect(page.count).toBe(2)
    for (const { privateKeyDetails, nonceAccount } of page.items) {
      expect(privateKeyDetails).toEqual({ location: ['DATABASE'], publickKey: nonceAccount.onchain.id })
    }
    const nobodys = await fixture.query(
      { itemsQuery: { filter: [where('nonceHash', 'EQUALS', { valueString: 'nobody' })] } },
      `${NONCES}/single`,
    )
    expect(nobodys).toEqual({ count: 0, items: [] })
    // Every lookup treats it like any other account.
    const account = await fixture.api.read<Account>('/accounts/single', { onchainId: first.onchainId })
    expect([account.offchain.id, account.offchain.type]).toEqual([first.offchainId, 'NONCE'])
    const nonces = { itemQuery: { filter: [where('type', 'EQUALS', { valueString: 'NONCE' })] } }
    expect((await fixture.query<Account>(nonces, '/accounts/bulk/detailed')).count).toBe(2)
    // Another organization sees none of them.
    expect((await fixture.query({}, `${NONCES}/bulk`)).count).toBe(2)
    const elsewhere = await NonceFixture.open(world, 'ELSEWHERE', 1)
    expect((await elsewhere.query()).items.map(({ nonceAccount }) => nonceAccount.onchain.id)).toEqual([
      elsewhere.nonces[0]!.onchainId,
    ])
  })

  it('that exist on chain are onboarded if the authority is on record', async () => {
    const fixture = await NonceFixture.open(world, 'TAKING', 1)
    const [one] = fixture.nonces as [Ids]
    const other = await NonceFixture.open(world, 'NOTED', 1)
    const lookup = { onchainId: fixture.authority.onchainId, offPlatform: true }
    const itemData = { nonceAuthority: lookup, nonceAccounts: [{ onchainId: one.onchainId, alreadyOnchain: true }] }
    const { newDurableNonceAccounts, chainTransactions } = await other.api.ok<CreatedNonces>(
      201,
      'POST',
      NONCES,
      itemData,
    )
    expect(chainTransactions).toEqual([])
    expect(await other.nonce(newDurableNonceAccounts[0]!)).toMatchObject({
      nonceHash: await fixture.value(one),
      nonceAccount: { managed: false, wasOnchainAlready: true },
    })
    await other.api.refuses(400, 'LOOKUP_MISMATCH', 'POST', NONCES, { ...itemData, nonceAuthority: other.authority })
    const missingAccount = { onchainId: Keypair.generate().publicKey.toBase58(), alreadyOnchain: true }
    await other.api.refuses(400, 'ACCOUNT_NOT_ONCHAIN', 'POST', NONCES, {
      ...itemData,
      nonceAccounts: [missingAccount],
    })
    const wallet = { onchainId: fixture.source.onchainId, alreadyOnchain: true }
    await other.api.refuses(400, 'NOT_A_NONCE_ACCOUNT', 'POST', NONCES, { ...itemData, nonceAccounts: [wallet] })
    await other.api.refuses(400, 'ALREADY_EXISTS', 'POST', NONCES, itemData)
  })
})

describe('a transaction under a nonce', () => {
  it('contains its value, and releases it when the chain shows another value', async () => {
    const fixture = await NonceFixture.open(world, 'CARRYING', 1)
    const [only] = fixture.nonces as [Ids]
    const value = await fixture.value(only)
    const result = await fixture.paySuccessfully({ ...DURABLE, commitmentConfig: { commitmentLevel: 'finalized' } })
    expect(result).toMatchObject({ status: 'FINALIZED', success: true })
    const record = await fixture.details(result)
    expect(record).toMatchObject({
      messageLifetimeStrategy: 'DURABLE_NONCE',
      recentBlockhash: value,
      lastValidBlockHeight: null,
      nonceAccount: only,
    })
    expect(record.instructions.map(({ type }) => type)).toEqual(['ADVANCE_NONCE', 'SET_COMPUTE_UNIT_LIMIT', 'TRANSFER'])
    const { message } = (await world.chain.transaction(result.onchainId!)).transaction
    expect(message.recentBlockhash).toBe(value)
    const free = await fixture.free(only)
    expect(free.nonceHash).not.toBe(value)
    await fixture.records.accountsEqualChain(fixture.source, fixture.destination, fixture.feePayer)
  })

  it('can be created by every endpoint that creates a transaction', async () => {
    const fixture = await NonceFixture.open(world, 'ANY', 6)
    const { api, records } = fixture
    const config = { ...DURABLE, transactionVersion: 'LEGACY' }
    const results: Result[] = []
    const create = async <T extends { chainTransaction?: Result }>(path: string, itemData: object): Promise<T> => {
      const body = await api.ok<T>(201, 'POST', path, itemData, { config })
      results.push(body.chainTransaction ?? (body as unknown as Result))
      return body
    }
    const [mintAuthority, owner] = [await records.account(), await records.account()]
    await create<NewAccount>('/accounts', { seedLamports: 2_000_000 })
    const { newFinancialInstrument } = await create<{ newFinancialInstrument: Ids; chainTransaction?: Result }>(
      '/financial-instruments',
      {
        mintAccount: {},
        version: 'TOKEN_2022',
        mintAuthority,
        onchainData: { name: 'N', symbol: 'N', decimals: 2 },
      },
    )
    const financialInstrument = { offchainId: newFinancialInstrument.offchainId }
    const { newPosition } = await create<{ newPosition: Ids; chainTransaction?: Result }>('/positions', {
      owner,
      financialInstrument,
    })
    await create('/positions/mint', { destination: { position: newPosition }, lamports: 50 })
    await create('/positions/burn', { source: { position: newPosition }, lamports: 50 })
    const closing = await api.ok<Result>(
      200,
      'PATCH',
      '/positions/close',
      { position: { position: newPosition } },
      { config },
    )
    results.push(closing)
    for (const result of results) {
      expect(result.success, JSON.stringify(result)).toBe(true)
      const record = await fixture.details(result)
      expect([record.messageLifetimeStrategy, record.transactionVersion]).toEqual(['DURABLE_NONCE', 'LEGACY'])
      expect((await world.chain.transaction(result.onchainId!)).meta?.err).toBeNull()
    }
    for (const nonce of fixture.nonces) await fixture.free(nonce)
    // Nonce accounts too: each step of the plan uses its own nonce.
    const plan = await api.ok<CreatedNonces>(
      201,
      'POST',
      NONCES,
      { nonceAuthority: fixture.authority, count: 6 },
      { config: DURABLE },
    )
    expect(plan.chainTransactions.map(({ success }) => success)).toEqual([true, true])
  })

  it('has exclusive use of its nonce: as many transactions at once as nonces, and then none is free', async () => {
    const fixture = await NonceFixture.open(world, 'PARALLEL', 5)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fixture.pay(DURABLE, {}, { Prefer: 'respond-async' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const records = await Promise.all(answers.map(({ body }) => fixture.reaches(body, 'FINALIZED')))
    expect(new Set(records.map((record) => nonceOf(record).onchainId)).size).toBe(5)
    for (const nonce of fixture.nonces) await fixture.free(nonce)

    const unsentPayments = [
      await fixture.signedAndUnsent(),
      await fixture.signedAndUnsent(),
      await fixture.signedAndUnsent(),
      await fixture.signedAndUnsent(),
    ]
    const [last, other] = await Promise.all([fixture.pay(), fixture.pay()])
    expect([last.status, other.status].sort()).toEqual([201, 400])
    const { errors } = (last.status === 400 ? last : other).body as unknown as Problems
    expect(errors).toMatchObject([
      { code: 'NONCE_UNAVAILABLE', pointer: '/chainTransactionConfig/messageLifetimeStrategy', retryable: true },
    ])
    const inUse = await fixture.query({ itemQuery: { filter: [where('isInUse', 'EQUALS', { valueBoolean: true })] } })
    expect(inUse.items.map(({ inUse: by }) => by!.transactionOffchainId)).toEqual(
      expect.arrayContaining(unsentPayments.map(({ offchainId }) => offchainId)),
    )
    // Free nonces come first in the default order.
    const { items } = await eventually(async () => {
      const page = await fixture.query()
      expect(page.items.map(({ inUse: by }) => by !== null)).toEqual([false, true, true, true, true])
      return page
    })
    expect(items[0]!.nonceHash).toBe(
      await fixture.value({ onchainId: items[0]!.nonceAccount.onchain.id, offchainId: '' }),
    )
    // Signed, unsent transactions are found with one query.
    const filter = [
      where('status', 'EQUALS', { valueString: 'SIGNED' }),
      where('messageLifetimeStrategy', 'EQUALS', { valueString: 'DURABLE_NONCE' }),
    ]
    const unsentPage: Page<TransactionRecord> = await fixture.query(
      { itemQuery: { filter } },
      '/transactions/bulk/detailed',
    )
    expect(unsentPage.items.map(({ offchainId }) => offchainId).sort()).toEqual(
      unsentPayments.map(({ offchainId }) => offchainId).sort(),
    )
    for (const result of unsentPayments) {
      await fixture.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId: result.offchainId } })
      await fixture.reaches(result, 'FINALIZED')
    }
    for (const nonce of fixture.nonces) await fixture.free(nonce)
    await fixture.records.accountsEqualChain(fixture.source, fixture.destination, fixture.feePayer)
  })

  it('leaves its nonce to the next request once it has landed', async () => {
    const fixture = await NonceFixture.open(world, 'REUSED', 1)
    for (const commitmentLevel of ['confirmed', 'finalized', 'confirmed', 'finalized', 'confirmed', 'finalized']) {
      const config = { ...DURABLE, commitmentConfig: { commitmentLevel } }
      expect((await fixture.paySuccessfully(config)).status).toMatch(/CONFIRMED|FINALIZED/)
    }
    // What has not landed keeps it.
    const unsent = await fixture.signedAndUnsent()
    expect(await fixture.pay()).toMatchObject({ status: 400, body: { errors: [{ code: 'NONCE_UNAVAILABLE' }] } })
    await fixture.api.ok(200, 'POST', '/transactions/submit', { transaction: { offchainId: unsent.offchainId } })
    expect((await fixture.paySuccessfully()).success).toBe(true)
  })

  it('that failed has used the value of its nonce, which can be leased again', async () => {
    const fixture = await NonceFixture.open(world, 'FAILING', 1)
    const [only] = fixture.nonces as [Ids]
    const value = await fixture.value(only)
    const failedPayment = await fixture.paySuccessfully(DURABLE, {
      lamports: (500n * SOL).toString(),
      offchainBalanceAvailabilityPrecheck: false,
    })
    expect(failedPayment.success).toBe(false)
    await fixture.reaches(failedPayment, 'BLOCKCHAIN_ERROR')
    expect((await fixture.free(only)).nonceHash).not.toBe(value)
    expect((await fixture.paySuccessfully()).success).toBe(true)
    await fixture.free(only)
    await fixture.records.accountsEqualChain(fixture.source, fixture.destination, fixture.feePayer)
  })

  it('is replayed under its idempotency key, and a dry run has no effect', async () => {
    const fixture = await NonceFixture.open(world, 'TRYING', 1)
    const [only] = fixture.nonces as [Ids]
    const value = await fixture.value(only)
    const itemData = { source: fixture.source, destination: fixture.destination, lamports: 5 }
    const headers = { 'Holdfast-Dry-Run': 'true' }
    const preview = await fixture.api.send<DryRun>('POST', PAY, itemData, { config: DURABLE, headers })
    expect([preview.status, preview.body.dryRun.simulation.error]).toEqual([200, null])
    expect(preview.body.dryRun.accounts).toContain(only.onchainId)
    expect(await fixture.nonce(only)).toMatchObject({ nonceHash: value, inUse: null })
    const [one, two] = [await fixture.pay(DURABLE, {}, once('again')), await fixture.pay(DURABLE, {}, once('again'))]
    expect([one.body.offchainId, two.headers.get('idempotency-replayed')]).toEqual([two.body.offchainId, 'true'])
    await fixture.free(only)
    const limitedPayment = await fixture.paySuccessfully({ ...DURABLE, computeUnitConfig: { enable: true } })
    expect(limitedPayment.success).toBe(true)
  })

  it('spends the balance of the fee payer except the fee, including that of the nonce authority', async () => {
    const fixture = await NonceFixture.open(world, 'ENTIRE', 1)
    const { source, destination } = fixture
    await fixture.api.ok(200, 'PATCH', '/accounts', { account: source, canPayFees: true })
    const before = await world.chain.lamports(destination.onchainId)
    const entire = { lamports: undefined, transferEntireBalance: true }
    const config = { ...DURABLE, feePayer: source, computeUnitConfig: { price: 1_000_000 } }
    const result = await fixture.paySuccessfully(config, entire)
    expect(result.success, JSON.stringify(result)).toBe(true)
    expect(await world.chain.lamports(source.onchainId)).toBe(0n)
    const fee = await world.chain.fee(result.onchainId!)
    expect(await world.chain.lamports(destination.onchainId)).toBe(before + 50n * SOL - fee)
  })

  it('can immediately follow the creation of its nonce', async () => {
    const fixture = await NonceFixture.open(world, 'IMMEDIATE', 1)
    const unsentPayment = await fixture.signedAndUnsent()
    const { newDurableNonceAccounts: newNonces } = await fixture.api.ok<CreatedNonces>(201, 'POST', NONCES, {
      nonceAuthority: fixture.authority,
      count: 1,
    })
    const result = await fixture.paySuccessfully()
    expect(result.success).toBe(true)
    expect(nonceOf(await fixture.details(result))).toEqual(newNonces[0])
    await fixture.api.refuses(400, 'ACCOUNT_IN_USE', 'PATCH', '/accounts/inactivate', { account: fixture.authority })
    await fixture.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: unsentPayment.offchainId })
    for (const nonce of [...fixture.nonces, ...newNonces]) await fixture.free(nonce)
  })

  it('is refused if no nonce exists', async () => {
    const fixture = await NonceFixture.open(world, 'NONE', 1)
    await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'BARE', name: 'BARE' })
    const { apiKey } = await world.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', {
      organizationExternalId: 'BARE',
      name: 'test',
      bundle: 'ADMIN',
    })
    const bare = world.records.with(world.api.as(apiKey))
    const [, from] = [await bare.feePayer(), await bare.funded()]
    const itemData = {
      source: from,
      destination: { onchainId: fixture.source.onchainId, offPlatform: true },
      lamports: 1,
    }
    await world.api.as(apiKey).refuses(400, 'NONCE_UNAVAILABLE', 'POST', PAY, itemData, { config: DURABLE })
  })
})

describe('an advance by an outside party', () => {
  it('is observed: a free nonce has its new value, and a transaction signed under the old one is void', async () => {
    const fixture = await NonceFixture.open(world, 'OUTSIDE', 2)
    const unsentPayment = await fixture.signedAndUnsent(true)
    const leased = nonceOf(await fixture.details(unsentPayment))
    const other = fixture.nonces.find(({ onchainId }) => onchainId !== leased.onchainId)!
    await fixture.advanceOutside(other)
    await fixture.advanceOutside(leased)
    const record = await fixture.reaches(unsentPayment, 'EXPIRED')
    expect(record.history.at(-1)!.detail).toContain('proven')
    await fixture.free(leased)
    await fixture.free(other)
    const results = [await fixture.paySuccessfully(), await fixture.paySuccessfully()]
    expect(results.map(({ success }) => success)).toEqual([true, true])
    for (const nonce of fixture.nonces) await fixture.free(nonce)
    await fixture.records.accountsEqualChain(fixture.source, fixture.destination, fixture.feePayer)
  })
})
