// What the creation of accounts costs beside the fee: in the dry run of a batch, and in the statement of the payer.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BATCHES } from './batch-fixture.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import type { Ids, NewAccount } from '../models.ts'
import { SOL } from '../records.ts'

interface Estimate {
  readonly dryRun: { readonly rentLamports: number; readonly feeLamports: number }
}

interface Row {
  readonly operation: string | null
  readonly amount: { readonly lamports: number }
  readonly fee: number
  readonly rent: number
  readonly transaction: { readonly offchainId: string } | null
}

const RENT = 890_880
const RENT_OF_TEN = 960_480

let world: World
let payer: Ids

beforeAll(async () => {
  world = await startWorld()
  payer = await world.records.feePayer()
})
afterAll(() => world.stop())

it.each([
  ['a wallet', [{ dataLength: 0 }], RENT],
  ['a wallet with a seed', [{ seedLamports: 3_000_000 }], RENT],
  ['several wallets', [{ dataLength: 0 }, { seedLamports: 3_000_000 }, { dataLength: 0 }], 3 * RENT],
  ['reserved space', [{ dataLength: 10 }, { dataLength: 0 }], RENT_OF_TEN + RENT],
  ['records alone', [{}], 0],
])('is in the dry run of a batch: %s', async (_, items, expected) => {
  const options = { headers: { 'Holdfast-Dry-Run': 'true' } }
  const { dryRun } = await world.api.ok<Estimate>(200, 'POST', BATCHES, { operation: 'CREATE_ACCOUNT', items }, options)
  expect(dryRun.rentLamports).toBe(expected)
})

it.each([
  ['reserved space', { dataLength: 10 }, RENT_OF_TEN, RENT_OF_TEN],
  ['reserved space with a seed', { dataLength: 10, seedLamports: 3_000_000 }, 3_000_000, 3_000_000],
  // As the wallet owes no rent, this is a payment.
  ['a wallet', { dataLength: 0 }, RENT, 0],
])('is in the statement of the payer: %s', async (_, itemData, paid, rent) => {
  const { chainTransaction } = await world.api.ok<NewAccount>(201, 'POST', '/accounts', itemData)
  const row = await rowOf(chainTransaction!.offchainId)
  expect(raw(row.rent)).toBe(rent)
  expect(-row.amount.lamports).toBe(paid + raw(row.fee))
})

it('counts the rent of a nonce once', async () => {
  const { newDurableNonceAccounts: made, chainTransactions } = await world.api.ok<{
    readonly newDurableNonceAccounts: readonly Ids[]
    readonly chainTransactions: readonly { readonly offchainId: string }[]
  }>(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: payer, count: 2 })
  const row = await rowOf(chainTransactions[0]!.offchainId)
  const held = await Promise.all(made.map(({ onchainId }) => world.chain.lamports(onchainId)))
  expect(BigInt(raw(row.rent))).toBe(held[0]! + held[1]!)
})

const raw = (amount: number): number => Math.round(amount * Number(SOL))

async function rowOf(transaction: string): Promise<Row> {
  const itemData = { account: payer, from: '2020-01-01T00:00:00Z', format: 'JSON' }
  return await eventually(async () => {
    const { balances } = await world.api.read<{ balances: readonly { readonly movements: readonly Row[] }[] }>(
      '/statements',
      { ...itemData, to: new Date().toISOString() },
    )
    const rows = balances.flatMap(({ movements }) => movements)
    const row = rows.find((each) => each.transaction?.offchainId === transaction)
    expect(row).toBeDefined()
    return row!
  })
}
