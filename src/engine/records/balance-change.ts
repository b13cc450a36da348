// Determines the changes of balances by an event. Every change of a balance becomes one movement row. Pure.
import type { Asset, Raw } from '../../../machines/protocol.ts'
import type { Book } from '../../../machines/holding.ts'
import type { Entry } from './entry.ts'
import { isHolding, type RecordState } from './record.ts'

/**
 * Why a balance changed:
 * - `own`: a transaction of the record's tenant landed; `countersigned`: another tenant's that its keys signed;
 *   `others`: another tenant's that they did not
 * - `undone`: the fork of the transaction was dropped
 * - `observed`: the chain shows a different balance than the record, because of a transaction outside this service
 * - `onboarded`: the record was created with a balance
 */
export type CauseKind = 'own' | 'countersigned' | 'others' | 'undone' | 'observed' | 'onboarded'

export interface Cause {
  readonly kind: CauseKind
  /** null: no transaction of this service. */
  readonly transactionId: string | null
  /** Slot of the landing or of the reading; null: unknown. */
  readonly slot: number | null
}

export interface BalanceChange {
  readonly entry: Entry
  readonly asset: Asset
  readonly delta: bigint
  readonly after: Raw
  readonly cause: Cause
}

type Balances = { readonly [asset in Asset]?: Book }

const ASSETS: readonly Asset[] = ['lamports', 'tokens', 'supply']

/** Cause of the balances that a new record has from its creation. */
export const ONBOARDED: Cause = { kind: 'onboarded', transactionId: null, slot: null }
const OBSERVED: Cause = { kind: 'observed', transactionId: null, slot: null }

/** The balances of a record; none for kinds without an address. */
export function balancesOf(state: RecordState): Balances {
  return isHolding(state) ? state.context : {}
}

/** Appends the changes of one event to `found`. `previous` is undefined for a new record. */
export function noteChanges(
  found: BalanceChange[],
  entry: Entry,
  previous: RecordState | undefined,
  cause: Cause = OBSERVED,
): void {
  const before = previous?.context as Balances | undefined
  const after = entry.head.context as Balances
  // Most events do not change balances; for kinds without balances all six are undefined.
  if (before?.lamports === after.lamports && before?.tokens === after.tokens && before?.supply === after.supply) return
  if (!isHolding(entry.head)) return
  for (const asset of ASSETS) {
    const next = after[asset]?.balance ?? '0'
    const known = before?.[asset]?.balance ?? '0'
    if (next !== known) found.push({ entry, asset, delta: BigInt(next) - BigInt(known), after: next, cause })
  }
}
