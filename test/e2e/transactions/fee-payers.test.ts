// The default fee payer, and transactions that stay PREPARED because a key is not to be used now: nothing is signed and
// nothing is reserved.
import { randomUUID } from 'node:crypto'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { Balance, Ids, NewAccount, NewPosition, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const PATH = '/positions/transfer-network-currency'

async function organizationOf({ api }: World): Promise<string> {
  const externalId = randomUUID()
  await api.ok(201, 'POST', '/admin/organizations', { externalId, name: 'Fees' })
  return externalId
}

describe('the default fee payer', () => {
  let world: World

  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  // The tests depend on each other: each adds an account to the organization.
  it('14.16 is the global one, else the oldest own account that is active, unfrozen and can pay', async () => {
    const wallet = await world.records.funded({}, SOL)
    const destination = await world.records.funded({}, SOL)
    const body = { source: wallet, destination, lamports: 1 }
    const payerOf = async (config?: object): Promise<string> => {
      const { offchainId } = await world.api.ok<Result>(201, 'POST', PATH, body, config === undefined ? {} : { config })
      return (await world.api.read<TransactionRecord>('/transactions/single', { offchainId })).feePayer.onchainId
    }
    const problem = await world.api.refuses(400, 'FEE_PAYER_REQUIRED', 'POST', PATH, body)
    expect(problem.pointer).toBe('/chainTransactionConfig/feePayer')

    const empty = await world.records.account({ canPayFees: true })
    await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PATH, body)
    const first = await world.records.funded({ canPayFees: true }, SOL)
    expect(await payerOf()).toBe(first.onchainId)
    const second = await world.records.funded({ canPayFees: true }, SOL)
    expect(await payerOf()).toBe(first.onchainId)
    expect(await payerOf({ feePayer: second })).toBe(second.onchainId)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: first })
    expect(await payerOf()).toBe(second.onchainId)
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: second })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: empty })
    await world.api.refuses(400, 'FEE_PAYER_REQUIRED', 'POST', PATH, body)
    for (const account of [first, second, empty]) await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: first })
    await world.api.ok(200, 'PATCH', '/admin/freeze', { account: second })
    // The books show no funds: one of the empty accounts was funded on chain only.
    const newPayer = await world.records.account({ canPayFees: true })
    await world.chain.airdrop(newPayer.onchainId, SOL)
    expect(await payerOf()).toBe(newPayer.onchainId)
    for (const account of [first, second]) await world.api.ok(200, 'PATCH', '/admin/unfreeze', { account })
    const global = await world.records.funded({ globalFeePayerForOrgs: ['SYSTEM'] }, SOL)
    expect(await payerOf()).toBe(global.onchainId)
    await world.records.accountsEqualChain(wallet, destination, empty, first, second, global)
  })

  it('is named by the refusal if it is the source of the payment and is frozen, or closed to the key', async () => {
    const key = { organizationExternalId: await organizationOf(world), name: 'k', bundle: 'ADMIN' }
    const create = () => world.api.ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', key)
    const [first, second] = [await create(), await create()]
    const api = world.api.as(first.apiKey)
    const records = world.records.with(api)
    const [source, destination] = [await records.funded({ canPayFees: true }, SOL), await records.account()]
    const body = { source, destination, lamports: 1 }
    await api.ok(200, 'PATCH', '/admin/freeze', { account: source })
    await api.refuses(403, 'FROZEN', 'POST', PATH, body)
    const other = await records.funded({}, SOL)
    await api.refuses(400, 'FEE_PAYER_REQUIRED', 'POST', PATH, { ...body, source: other })
    await api.ok(200, 'PATCH', '/admin/unfreeze', { account: source })
    await api.ok(200, 'PATCH', '/accounts', { account: source, solDebitApiKeys: [second.keyId] })
    await api.refuses(403, 'DEBIT_KEY_REQUIRED', 'POST', PATH, body)
    await world.api.as(second.apiKey).ok(201, 'POST', PATH, body)
  })

  it('is refused if it is missing or no plain wallet, and if it has no funds', async () => {
    const [source, destination, poor] = [
      await world.records.funded({ canPayFees: true }, SOL),
      await world.records.funded({}, SOL),
      await world.records.account({ canPayFees: true }),
    ]
    const refuses = (code: string, feePayer: object) =>
      world.api.refuses(400, code, 'POST', PATH, { source, destination, lamports: 1 }, { config: { feePayer } })
    await refuses('ACCOUNT_NOT_FOUND', { onchainId: Keypair.generate().publicKey.toBase58() })
    expect(await refuses('INSUFFICIENT_BALANCE', poor)).toMatchObject({ pointer: '/chainTransactionConfig/feePayer' })
    const short = { source, destination, lamports: (2n * SOL).toString() }
    const unnamed = await world.api.refuses(400, 'INSUFFICIENT_BALANCE', 'POST', PATH, short)
    expect(unnamed.pointer).toBe('/itemData')
    const instrument = await world.records.instrument('SPL', source)
    await refuses('FEE_PAYER_INVALID', instrument)
    expect(await world.chain.lamports(source.onchainId)).toBe(SOL)
    await world.records.accountsEqualChain(source, destination, poor)
  })
})

describe('a prepared transaction', () => {
  let world: World
  let feePayer: Ids
  let managed: Ids
  let outsider: Keypair
  let unmanaged: Ids

  beforeAll(async () => {
    world = await startWorld()
    feePayer = await world.records.feePayer({ networkCurrencyDebitLimits: [] })
    managed = await world.records.funded({}, 5n * SOL)
    outsider = Keypair.generate()
    unmanaged = await world.records.funded({ managed: false, onchainId: outsider.publicKey.toBase58() }, 5n * SOL)
  })
  afterAll(() => world.stop())

  async function expectPrepared(result: Result): Promise<VersionedMessage> {
    expect(result).toMatchObject({ success: false, status: 'PREPARED', onchainId: null, confirmationsCount: 0 })
    const record = await world.api.read<TransactionRecord>('/transactions/single', { offchainId: result.offchainId })
    expect(record.history.map(({ status }) => status)).toEqual(['PREPARED'])
    for (const account of [feePayer, managed, unmanaged]) {
      const { reserved, available, offchain } = await world.api.read<Balance>('/accounts/single/balance', account)
      expect(reserved).toEqual({ amount: 0, lamports: 0 })
      expect(available).toEqual(offchain)
    }
    return VersionedMessage.deserialize(Buffer.from(result.serializedMessage, 'base64'))
  }

  const pay = (source: object, destination: object, config: object = {}): Promise<Result> =>
    world.api.ok<Result>(201, 'POST', PATH, { source, destination, amount: '0.5' }, { config })

  it('pays from a wallet whose key is held elsewhere, and contains the message to sign', async () => {
    const before = await world.chain.lamports(unmanaged.onchainId)
    const message = await expectPrepared(await pay(unmanaged, managed))
    const signers = message.staticAccountKeys
      .slice(0, message.header.numRequiredSignatures)
      .map((key) => key.toBase58())
    expect(new Set(signers)).toEqual(new Set([feePayer.onchainId, unmanaged.onchainId]))
    const transfer = TransactionMessage.decompile(message).instructions.find(({ programId }) =>
      programId.equals(SystemProgram.programId),
    )
    expect(transfer?.keys.map(({ pubkey }) => pubkey.toBase58())).toEqual([unmanaged.onchainId, managed.onchainId])
    expect(transfer?.data.readBigUInt64LE(4)).toBe(SOL / 2n)
    expect(await world.chain.lamports(unmanaged.onchainId)).toBe(before)
  })

  it('can have a fee payer held elsewhere', async () => {
    const message = await expectPrepared(await pay(managed, unmanaged, { feePayer: unmanaged }))
    expect(message.staticAccountKeys[0]?.toBase58()).toBe(unmanaged.onchainId)
  })

  it.each([
    ['the source', () => pay({ ...managed, autoSign: false }, unmanaged)],
    ['the fee payer', () => pay(managed, unmanaged, { feePayer: { ...feePayer, autoSign: false } })],
  ])('is created if %s is not to sign now', async (_who, request) => {
    await expectPrepared(await request())
    expect(await world.chain.lamports(managed.onchainId)).toBe(5n * SOL)
  })

  it('can be completed outside, because its message is valid', async () => {
    const message = await expectPrepared(await pay(unmanaged, managed, { feePayer: unmanaged }))
    const transaction = new VersionedTransaction(message)
    transaction.sign([outsider])
    const simulated = await world.chain.connection.simulateTransaction(transaction, { sigVerify: true })
    expect(simulated.value.err).toBeNull()
  })

  it('reserves nothing, so that many can be prepared from one balance', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => pay(unmanaged, managed)))
    expect(new Set(results.map(({ serializedMessage }) => serializedMessage)).size).toBe(12)
    for (const result of results) await expectPrepared(result)
  })

  it.each(['SPL', 'TOKEN_2022'] as const)(
    'is created by every %s operation whose signer is held elsewhere or not to sign',
    async (version) => {
      const authority = await world.records.account()
      const instrument = await world.records.instrument(
        version,
        authority,
        version === 'SPL' ? {} : { freezeAuthority: authority },
      )
      const position = await world.records.position(unmanaged, instrument, 10n)
      const target = await world.records.position(managed, instrument, 10n)
      const send = (path: string, itemData: object) => world.api.ok<Result>(201, 'POST', path, itemData)
      await expectPrepared(
        await send('/positions/transfer', { source: { position }, destination: { position: target }, lamports: 1 }),
      )
      await expectPrepared(await send('/positions/burn', { source: { position }, lamports: 1 }))
      await expectPrepared(
        await world.api.ok<Result>(200, 'PATCH', '/positions/close', {
          position: { position },
          burnRemainingTokenBalance: true,
        }),
      )
      const silent = { ...managed, autoSign: false }
      await expectPrepared(
        await send('/positions/transfer', {
          source: { owner: silent, financialInstrument: instrument },
          destination: { position },
          lamports: 1,
        }),
      )
      await expectPrepared(
        await send('/positions/transfer', {
          source: { position: target, owner: silent },
          destination: { position },
          lamports: 1,
        }),
      )
      await expectPrepared(
        await send('/positions/mint', {
          destination: { position },
          lamports: 1,
          mintAuthority: { ...authority, autoSign: false },
        }),
      )
      await expectPrepared(
        await send('/positions/mint', {
          destination: { position, mintAuthority: { ...authority, autoSign: false } },
          lamports: 1,
        }),
      )
      if (version === 'TOKEN_2022') {
        const freezeAuthority = { ...authority, autoSign: false }
        await expectPrepared(
          await send('/positions/mint', {
            destination: { position, freezeAuthority },
            lamports: 1,
            freezeDestination: true,
          }),
        )
      }
      expect(await world.chain.supply(instrument.onchainId)).toBe(20n)
      await world.records.positionsEqualChain(position, target)
      await world.records.instrumentEqualsChain(instrument)
    },
  )

  it('creates an account with space, and a position, whose keys are held elsewhere', async () => {
    const space = { managed: false, onchainId: Keypair.generate().publicKey.toBase58(), dataLength: 10 }
    const creation = await world.api.ok<NewAccount>(201, 'POST', '/accounts', space)
    await expectPrepared(creation.chainTransaction!)
    expect(await world.chain.exists(creation.newAccount.onchainId)).toBe(false)
    const instrument = await world.records.instrument('SPL', managed)
    const position = { managed: false, onchainId: Keypair.generate().publicKey.toBase58() }
    const opening = await world.api.ok<NewPosition>(201, 'POST', '/positions', {
      owner: managed,
      financialInstrument: instrument,
      position,
    })
    await expectPrepared(opening.chainTransaction!)
    expect(await world.chain.exists(opening.newPosition.onchainId)).toBe(false)
    expect(new PublicKey(opening.newPosition.onchainId).toBase58()).toBe(position.onchainId)
  })

  it('does not block other transactions of the same wallet', async () => {
    const result = await pay(managed, unmanaged)
    expect(result.success).toBe(true)
    await world.records.accountsEqualChain(managed, unmanaged, feePayer)
  })
})
