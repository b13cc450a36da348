// The lines of a statement, balance by balance: opening, movements in order, closing. Balances that are zero and did
// not move are left out. Read page by page.
import type { Call } from '../../contract/call.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { balancesOf, type Balance } from './balances.ts'
import { movementLine, shownIn, type MovementLine } from './movement.ts'
import { Parties } from './parties.ts'
import type { Period } from './period.ts'

/** Transactions read at a time. */
const AT_ONCE = 64

export type Line =
  | { readonly type: 'opening' | 'closing'; readonly balance: Balance; readonly amount: bigint; readonly atMs: number }
  | { readonly type: 'movement'; readonly balance: Balance; readonly movement: MovementLine }

export async function* linesOf(
  platform: Platform,
  call: Call,
  holdings: readonly HoldingState[],
  period: Period,
): AsyncGenerator<Line, void, undefined> {
  const parties = new Parties(platform, call)
  for (const state of holdings) {
    for (const balance of balancesOf(platform, state)) yield* linesOfBalance(platform, parties, balance, period)
  }
}

async function* linesOfBalance(
  platform: Platform,
  parties: Parties,
  balance: Balance,
  { fromMs, toMs }: Period,
): AsyncGenerator<Line, void, undefined> {
  const { movements } = platform.engine
  const { state, asset } = balance
  const opening = (await movements.balanceAt(state, asset, fromMs)) ?? 0n
  let closing = opening
  let isOpen = opening !== 0n
  if (isOpen) yield { type: 'opening', balance, amount: opening, atMs: fromMs }
  for await (const page of movements.between(state, asset, fromMs, toMs)) {
    if (!isOpen) yield { type: 'opening', balance, amount: opening, atMs: fromMs }
    isOpen = true
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE)
      const transactions = await platform.engine.glances(shownIn(some))
      for (const movement of some) {
        closing = movement.after
        yield { type: 'movement', balance, movement: movementLine(transactions, parties, balance, movement) }
      }
    }
  }
  if (isOpen) yield { type: 'closing', balance, amount: closing, atMs: toMs }
}
