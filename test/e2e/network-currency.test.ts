// Network currency over HTTP: amounts, entire balances, memos, fees.
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Options } from './client.ts'
import { startWorld, type World } from './harness.ts'
import type { Ids, Result, TransactionRecord } from './models.ts'
import { SOL } from './records.ts'

const PATH = '/positions/transfer-network-currency'
/** Versions 4 and 1 of the memo program; the service itself uses version 3. */
const MEMO_PROGRAMS = ['Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']

let world: World
let feePayer: Ids

beforeAll(async () => {
  world = await startWorld()
  feePayer = await world.records.feePayer()
})
afterAll(() => world.stop())

async function transfer(itemData: object, options: Options = {}): Promise<Result> {
  const result = await world.api.ok<Result>(201, 'POST', PATH, itemData, options)
  expect(result.success, JSON.stringify(result)).toBe(true)
  return result
}

const refuses = (code: string, itemData: object, options: Options = {}) =>
  world.api.refuses(400, code, 'POST', PATH, itemData, options)
const lamports = (...accounts: Ids[]): Promise<bigint[]> =>
  Promise.all(accounts.map(({ onchainId }) => world.chain.lamports(onchainId)))

it('moves display and raw amounts, with a memo', async () => {
  const [source, destination] = await Promise.all([world.records.funded({}, 2n * SOL), world.records.funded({}, SOL)])
  const result = await transfer({ source, destination, amount: '0.123456789', memo: 'lunch' })
  expect(await lamports(source, destination)).toEqual([2n * SOL - 123_456_789n, SOL + 123_456_789n])
  expect(await world.chain.memos(result.onchainId!)).toEqual(['lunch'])
  await transfer({ source, destination, lamports: 1 })
  await transfer({ source, destination, amount: 0.5 })
  expect(await lamports(source, destination)).toEqual([2n * SOL - 623_456_790n, SOL + 623_456_790n])
  await world.records.accountsEqualChain(source, destination, feePayer)
})

it('filters transactions by memo, including those of outside origin', async () => {
  const [source, destination] = await Promise.all([world.records.funded({}, 2n * SOL), world.records.funded({}, SOL)])
  const payment = await transfer({ source, destination, lamports: 1, memo: 'Invoice Ä-7' })
  await transfer({ source, destination, lamports: 1 })
  const from = Keypair.generate()
  await world.chain.airdrop(from.publicKey.toBase58(), SOL)
  const { blockhash } = await world.chain.connection.getLatestBlockhash('confirmed')
  const texts = ['Invoice Ä-7', 'and a second one'].map(
    (text, index) =>
      new TransactionInstruction({
        programId: new PublicKey(MEMO_PROGRAMS[index]!),
        keys: [],
        data: Buffer.from(text),
      }),
  )
  const message = new TransactionMessage({
    payerKey: from.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      ...texts,
      SystemProgram.transfer({
        fromPubkey: from.publicKey,
        toPubkey: new PublicKey(source.onchainId),
        lamports: 1_000_000,
      }),
    ],
  })
  const foreign = new VersionedTransaction(message.compileToV0Message())
  foreign.sign([from])
  const submission = await world.api.ok<Result>(200, 'POST', '/transactions/submit', {
    serializedTransaction: Buffer.from(foreign.serialize()).toString('base64'),
  })
  const findByMemo = async (value: object): Promise<string[]> => {
    const filter = [{ fieldName: 'memo', filterValues: [value] }]
    const { items } = (await world.api.bulk('/transactions/bulk/compact', { filter })) as { items: readonly Result[] }
    return items.map(({ offchainId }) => offchainId).sort()
  }
  const both = [payment.offchainId, submission.offchainId].sort()
  expect(await findByMemo({ filterType: 'EQUALS', valueString: 'Invoice Ä-7' })).toEqual(both)
  expect(await findByMemo({ filterType: 'CONTAINS', valueString: 'SECOND' })).toEqual([submission.offchainId])
  expect(await findByMemo({ filterType: 'IS_NULL' })).not.toEqual(expect.arrayContaining(both))
  expect(await findByMemo({ filterType: 'IS_NULL' })).not.toEqual([])
})

it('accepts a memo up to the transaction size, with the compute units of the published memo program', async () => {
  const [source, destination] = await Promise.all([world.records.funded({}, 2n * SOL), world.records.funded({}, SOL)])
  const memo = 'm'.repeat(800)
  const result = await transfer({ source, destination, lamports: 1, memo })
  expect(await world.chain.memos(result.onchainId!)).toEqual([memo])
  const record = await world.api.read<TransactionRecord>('/transactions/single', { offchainId: result.offchainId })
  expect(record.computeUnitsLimit).toBeGreaterThan(353 * memo.length)
  const problem = await refuses('TRANSACTION_TOO_LARGE', { source, destination, lamports: 1, memo: 'm'.repeat(1100) })
  expect(problem.message).toMatch(/would be 1[0-9]{3} bytes, the limit is 1232/)
  await world.records.accountsEqualChain(source, destination, feePayer)
})

it('transfers the entire balance, leaving nothing', async () => {
  const [source, destination] = await Promise.all([world.records.funded({}, SOL), world.records.funded({}, SOL)])
  // Unknown to the service until the entire balance is requested.
  await world.chain.airdrop(source.onchainId, 12_345n)
  await transfer({ source, destination, transferEntireBalance: true })
  expect(await world.chain.exists(source.onchainId)).toBe(false)
  expect(await lamports(destination)).toEqual([2n * SOL + 12_345n])
  await world.records.accountsEqualChain(source, destination, feePayer)
  await refuses('INSUFFICIENT_BALANCE', { source, destination, transferEntireBalance: true })
})

it.each([
  ['its signature', {}, 5_000n],
  ['its signature and a priority fee', { computeUnitConfig: { limit: 3_333, price: 1_000 } }, 5_004n],
  ['a legacy transaction', { transactionVersion: 'LEGACY' }, 5_000n],
])('transfers the entire balance of the fee payer itself, less %s', async (_what, config, fee) => {
  const source = await world.records.funded({ canPayFees: true }, SOL)
  const destination = await world.records.funded({}, SOL)
  const result = await transfer(
    { source, destination, transferEntireBalance: true },
    { config: { feePayer: source, ...config } },
  )
  expect(await world.chain.fee(result.onchainId!)).toBe(fee)
  expect(await world.chain.exists(source.onchainId)).toBe(false)
  expect(await lamports(destination)).toEqual([2n * SOL - fee])
  await world.records.accountsEqualChain(source, destination)
})

it('lets the source pay its own fee', async () => {
  const [source, destination] = await Promise.all([
    world.records.funded({ canPayFees: true }, SOL),
    world.records.funded({}, SOL),
  ])
  await refuses(
    'INSUFFICIENT_BALANCE',
    { source, destination, lamports: (SOL - 4_999n).toString() },
    { config: { feePayer: source } },
  )
  await transfer({ source, destination, lamports: (SOL - 5_000n).toString() }, { config: { feePayer: source } })
  expect(await lamports(source, destination)).toEqual([0n, 2n * SOL - 5_000n])
  await world.records.accountsEqualChain(source, destination)
})

it('funds a wallet that existed only as a record', async () => {
  const [source, destination] = await Promise.all([world.records.funded({}, SOL), world.records.account()])
  expect(await world.chain.exists(destination.onchainId)).toBe(false)
  await transfer({ source, destination, amount: '0.1' })
  expect(await lamports(destination)).toEqual([SOL / 10n])
  await world.records.accountsEqualChain(source, destination, feePayer)
})

it('transfers to an unknown address if the limits allow it', async () => {
  const source = await world.records.funded({ networkCurrencyDebitLimits: [] }, SOL)
  const outside = Keypair.generate().publicKey.toBase58()
  await transfer({ source, destination: { onchainId: outside, offPlatform: true }, amount: '0.3' })
  expect(await world.chain.lamports(outside)).toBe((SOL * 3n) / 10n)
  await world.records.accountsEqualChain(source)
})

describe('refusals', () => {
  it('rejects amounts beyond the balance, too precise amounts, and sources that are no wallet', async () => {
    const [source, destination] = await Promise.all([world.records.funded({}, SOL), world.records.funded({}, SOL)])
    await refuses('INSUFFICIENT_BALANCE', { source, destination, lamports: (SOL + 1n).toString() })
    await refuses('TOO_PRECISE', { source, destination, amount: '0.0000000001' })
    await refuses('SAME_ACCOUNT', { source, destination: source, amount: '0.1' })
    await refuses('REQUIRED', { source, destination })
    const authority = await world.records.account()
    const instrument = await world.records.instrument('SPL', authority)
    const position = await world.records.position(authority, instrument)
    await refuses('ACCOUNT_NOT_FOUND', { source: position, destination, lamports: 1 })
    const stranger = { onchainId: Keypair.generate().publicKey.toBase58() }
    await refuses('ACCOUNT_NOT_FOUND', { source: stranger, destination, lamports: 1 })
    const itemData = { source: { ...stranger, offPlatform: true }, destination, lamports: 1 }
    const { status } = await world.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', itemData)
    expect(status).toBe('PREPARED')
    expect(await lamports(source, destination)).toEqual([SOL, SOL])
    await world.records.accountsEqualChain(source, destination, feePayer)
  })
})
