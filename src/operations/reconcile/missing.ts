// Accounts that an answer did not show though their records live. One answer is not believed: a record is closed for good, and its address
// is free from then on. It is when a finalized answer of the same slot or a later one does not show the account either.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { balanceFacts } from './balances.ts'
import { differences, stands, type Fact } from './differences.ts'
import { fold } from './fold.ts'
import { isInFlight, isMoving, openTouches } from './moving.ts'

/** Slot of the first answer without it, since it was seen last. */
const missingSince = new WeakMap<Entry, number>()

/**
 * Whether a record misses what the chain no longer has: the account of a position, an instrument, a nonce or a table, or the lamports of a
 * wallet. A nonce that is leased is left to what uses it.
 */
export function misses(state: HoldingState, account: ChainAccount | null): boolean {
  if (state.value === 'leased') return false
  return !stands(state, account) || (account === null && state.context.lamports.balance !== '0')
}

/** Remembers an answer. */
export function noteAnswer(entry: Entry, isMissing: boolean, slot: number): void {
  if (!isMissing) missingSince.delete(entry)
  else if (!missingSince.has(entry)) missingSince.set(entry, slot)
}

/** Looks for them at `finalized`. Those that are gone are emptied and, but for wallets, closed. The answer: who has to be looked at again. */
export async function settleMissing(platform: Platform, cluster: string, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const access = platform.clusters.get(cluster)
  const asked = entries.flatMap((entry) => (isHolding(entry.head) ? [{ entry, address: entry.head.context.address }] : []))
  if (access === undefined || asked.length === 0) return []
  const { slot, accounts } = await access.finalizedAccounts(asked.map(({ address }) => address))
  const undecided: Entry[] = []
  const folds: Promise<void>[] = []
  for (const [index, { entry }] of asked.entries()) {
    const since = missingSince.get(entry)
    const { head } = entry
    if (since === undefined || !isHolding(head) || head.value === 'closed') continue
    const account = accounts[index] ?? null
    // What its own fork took back is told by its transaction.
    const isOpen = isInFlight(platform, head) || openTouches(platform, head).length > 0
    if (slot < since || isOpen || !misses(head, account)) undecided.push(entry)
    else {
      missingSince.delete(entry)
      const isQuiet = !isMoving(platform, head)
      const balances = isQuiet ? balanceFacts(head, account) : []
      const states = differences(platform, head, account, slot, isQuiet)
      folds.push(fold(platform, entry, [...states, ...balances, ...closing(head)], slot))
    }
  }
  await Promise.all(folds)
  return undecided
}

function closing(state: HoldingState): readonly Fact[] {
  if (state.kind === 'account') return []
  return [ofKind(state, 'lookupTable') === undefined ? { type: 'chain.closed' } : ({ type: 'chain.tableRead', contents: null } as Fact)]
}
