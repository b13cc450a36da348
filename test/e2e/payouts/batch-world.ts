// A service with a treasury of tokens and the wallets and positions that batches pay.
import { BatchFixture } from './batch-fixture.ts'
import { startWorld, unwatched, type World } from '../harness.ts'
import type { Ids } from '../models.ts'
import { SOL } from '../records.ts'

const HOLDERS = 45

export interface BatchWorld {
  readonly world: World
  readonly fixture: BatchFixture
  readonly feePayer: Ids
  /** Mint and freeze authority of `cash`. */
  readonly issuer: Ids
  readonly cash: Ids
  /** A position with 1,000,000 raw units of `cash`. */
  readonly treasury: Ids
  /** Wallets with 1 SOL each. */
  readonly holders: readonly Ids[]
  /** Their empty positions in `cash`. */
  readonly positions: readonly Ids[]
  /** Raw units on chain. */
  readonly tokens: (...positions: readonly Ids[]) => Promise<bigint[]>
}

export async function startBatchWorld(): Promise<BatchWorld> {
  const world = await startWorld({}, unwatched)
  const { records, chain } = world
  const feePayer = await records.feePayer()
  const issuer = await records.account()
  const cash = await records.instrument('TOKEN_2022', issuer, { freezeAuthority: issuer })
  const wallet = await records.funded({ networkCurrencyDebitLimits: [], tokenDebitLimits: [] }, 50n * SOL)
  const treasury = await records.position(wallet, cash, 1_000_000n)
  const holders = await Promise.all(Array.from({ length: HOLDERS }, () => records.funded({}, SOL)))
  const positions = await Promise.all(holders.map((holder) => records.position(holder, cash)))
  const tokens: BatchWorld['tokens'] = (...all) => Promise.all(all.map(({ onchainId }) => chain.tokens(onchainId)))
  return { world, fixture: new BatchFixture(world.api), feePayer, issuer, cash, treasury, holders, positions, tokens }
}
