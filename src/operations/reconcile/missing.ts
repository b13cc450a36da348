// Closes records whose accounts no longer exist. One answer is not enough, because a closed record stays closed and its
// address becomes free: a finalized answer of the same or a later slot must lack the account too.
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { balanceFacts } from './balances.ts'
import type { Cut } from './cut.ts'
import { subjectExists, type ObservedEvent } from './differences.ts'
import { recordFacts } from './record-facts.ts'
import { isInFlight, openTouches } from './moving.ts'

/** Slot of the first answer without the account, since it was last present. */
const missingSince = new WeakMap<Entry, number>()

/**
 * True if the record's subject is missing on chain: the account of a position, an instrument, a nonce or a table, or
 * the lamports of a wallet. A leased nonce never counts as missing; the transaction that leases it decides.
 */
export function isMissingOnChain(state: HoldingState, account: ChainAccount | null): boolean {
  if (state.value === 'leased') return false
  return !subjectExists(state, account) || (account === null && state.context.lamports.balance !== '0')
}

/** Records whether an answer lacked the account. */
export function noteAnswer(entry: Entry, isMissing: boolean, slot: number): void {
  if (!isMissing) missingSince.delete(entry)
  else if (!missingSince.has(entry)) missingSince.set(entry, slot)
}

/**
 * Reads the accounts at `finalized`. Records whose accounts are gone are emptied and, except wallets, closed. Returns
 * the records to read again.
 *
 * @param cut the reading that lacks the accounts
 */
export async function settleMissing(
  platform: Platform,
  cut: Cut,
  cluster: string,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const access = platform.clusters.get(cluster)
  const targets = entries.flatMap((entry) =>
    isHolding(entry.head) ? [{ entry, address: entry.head.context.address }] : [],
  )
  if (access === undefined || targets.length === 0) return []
  const { slot, accounts } = await access.finalizedAccounts(targets.map(({ address }) => address))
  const undecided: Entry[] = []
  await Promise.all(
    targets.map(({ entry }, index) =>
      atHand(platform.engine, async () => {
        const facts = factsOfMissing(platform, cut, entry, { slot, account: accounts[index] ?? null })
        if (facts === null) undecided.push(entry)
        else if (facts.length > 0) await recordFacts(platform, entry, facts, slot)
      }),
    ),
  )
  return undecided
}

/** null: not decided. Must be called in the turn of the write. */
function factsOfMissing(
  platform: Platform,
  cut: Cut,
  entry: Entry,
  { slot, account }: { readonly slot: number; readonly account: ChainAccount | null },
): readonly ObservedEvent[] | null {
  const since = missingSince.get(entry)
  const { head } = entry
  if (since === undefined || !isHolding(head) || head.value === 'closed') return []
  // While transactions that touch the record can still be undone by a fork, they determine its state.
  const isOpen = isInFlight(platform, head, since) || openTouches(platform, head).length > 0
  if (slot < since || isOpen || !isMissingOnChain(head, account)) return null
  const comparison = cut.compare(entry)
  if (comparison?.isSettled !== true) return null
  missingSince.delete(entry)
  return [...balanceFacts(head, cut.account(entry), comparison.ahead), ...closingFacts(head)]
}

function closingFacts(state: HoldingState): readonly ObservedEvent[] {
  if (state.kind === 'account') return []
  return [
    ofKind(state, 'lookupTable') === undefined
      ? { type: 'chain.closed' }
      : ({ type: 'chain.tableRead', contents: null } as ObservedEvent),
  ]
}
