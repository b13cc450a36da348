// Equal requests under one blockhash: each is a transaction of its own, and has the limit and the fee it asked for.
import { ComputeBudgetProgram, VersionedMessage } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../harness.ts'
import type { DryRun, Ids, Result, TransactionRecord } from '../models.ts'
import { SOL } from '../records.ts'

const PAY = '/positions/transfer-network-currency'
const LOADED_BYTES = 'SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT'
const FULL = 1_232

let world: World
let payer: Ids
let source: Ids
let destination: Ids

beforeAll(async () => {
  // Slow enough for equal requests to share a blockhash.
  world = await startWorld({ HOLDFAST_EMBEDDED_SLOT_MS: '1000' })
  payer = await world.records.feePayer()
  ;[source, destination] = await Promise.all([world.records.funded({ canPayFees: true }), world.records.funded()])
})
afterAll(() => world.stop())

async function payEqually(count: number, config: object, members: object = {}): Promise<TransactionRecord[]> {
  const body = { source, destination, lamports: 7, ...members }
  const results = await Promise.all(
    Array.from({ length: count }, () => world.api.ok<Result>(201, 'POST', PAY, body, { config })),
  )
  expect(results.map(({ success }) => success)).toEqual(results.map(() => true))
  expect(new Set(results.map(({ onchainId }) => onchainId)).size).toBe(count)
  const records = await Promise.all(
    results.map(({ offchainId }) => world.api.read<TransactionRecord>('/transactions/single', { offchainId })),
  )
  // Otherwise the test shows nothing.
  expect(new Set(records.map(({ recentBlockhash }) => recentBlockhash)).size).toBeLessThan(count)
  return records
}

it.each([
  [200_000, 1_000, 0.0000052],
  // Exactly the highest fee.
  [1_000_000, 9_995_000, 0.01],
  [1_400_000, 0, 0.000005],
])('keeps a limit of %i at a price of %i', async (limit, price, fee) => {
  const records = await payEqually(5, { feePayer: source, computeUnitConfig: { limit, price } })
  expect(records.map(({ computeUnitsLimit }) => computeUnitsLimit)).toEqual(records.map(() => limit))
  expect(records.map((record) => Number(record.fee))).toEqual(records.map(() => fee))
  for (const { onchainId } of records)
    expect(await world.chain.fee(onchainId!)).toBe(BigInt(Math.round(fee * Number(SOL))))
  const differing = records.filter(({ instructions }) => instructions.some(({ type }) => type === LOADED_BYTES))
  expect(differing.length).toBeGreaterThan(0)
  await world.records.accountsEqualChain(source, destination, payer)
})

it('raises a limit that the units of another instruction would exceed', async () => {
  const records = await payEqually(4, { feePayer: source, computeUnitConfig: { limit: 450, price: 1_000 } })
  expect(records.flatMap(({ instructions }) => instructions.map(({ type }) => type))).not.toContain(LOADED_BYTES)
  expect(Math.min(...records.map(({ computeUnitsLimit }) => computeUnitsLimit))).toBe(450)
})

const CONFIG = { computeUnitConfig: { limit: 600_000 } }

it('raises a limit for a message that has no room for another instruction', async () => {
  const sizeWith = async (memo: string): Promise<number> => {
    const body = { source, destination, lamports: 7, memo }
    const headers = { 'Holdfast-Dry-Run': 'true' }
    return (await world.api.ok<DryRun>(200, 'POST', PAY, body, { config: CONFIG, headers })).dryRun.sizeBytes
  }
  const some = 'm'.repeat(600)
  const memo = some + 'm'.repeat(FULL - (await sizeWith(some)))
  expect(await sizeWith(memo)).toBe(FULL)
  const records = await payEqually(3, CONFIG, { memo })
  expect(Math.max(...records.map(({ computeUnitsLimit }) => computeUnitsLimit))).toBeGreaterThan(600_000)
  for (const { instructions } of records) expect(instructions.map(({ type }) => type)).not.toContain(LOADED_BYTES)
  await world.records.accountsEqualChain(source, destination, payer)
})

it('changes nothing else for requests that name no limit', async () => {
  const records = await payEqually(3, {})
  expect(new Set(records.map(({ computeUnitsLimit }) => computeUnitsLimit)).size).toBeGreaterThan(1)
  for (const { instructions } of records) expect(instructions.map(({ type }) => type)).not.toContain(LOADED_BYTES)
})

it('signs and sends equal transactions that waited, and explains them', async () => {
  const body = { source: { ...source, autoSign: false }, destination, lamports: 7 }
  const results = await Promise.all(
    [1, 2, 3].map(() => world.api.ok<Result>(201, 'POST', PAY, body, { config: CONFIG })),
  )
  const kinds = results.map(({ serializedMessage }) => budgetKinds(serializedMessage))
  expect(kinds).toContainEqual([2, 4])
  for (const { offchainId, status } of results) {
    expect(status).toBe('PREPARED')
    await world.api.ok(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    const sent = await world.api.ok<Result>(200, 'POST', '/transactions/submit', { transaction: { offchainId } })
    expect(sent.success).toBe(true)
    const { checks } = await world.api.read<{ checks: readonly Check[] }>('/transactions/explain', { offchainId })
    expect(checks.filter(({ verdict }) => verdict !== 'PASSED')).toEqual([])
    const limit = checks.find(({ rule }) => rule === 'COMPUTE_LIMIT')
    expect(limit?.judgedOn).toMatchObject({ by: 'REQUEST', units: 600_000, raised: 0 })
  }
  await world.records.accountsEqualChain(source, destination, payer)
})

interface Check {
  readonly rule: string
  readonly verdict: string
  readonly judgedOn: object
}

/** The first byte of each compute budget instruction. */
function budgetKinds(serializedMessage: string): number[] {
  const { compiledInstructions, staticAccountKeys } = VersionedMessage.deserialize(
    Buffer.from(serializedMessage, 'base64'),
  )
  return compiledInstructions
    .filter(({ programIdIndex }) => staticAccountKeys[programIdIndex]!.equals(ComputeBudgetProgram.programId))
    .map(({ data }) => data[0]!)
}
