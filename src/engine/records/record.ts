// A record as the engine holds it: immutable, one object per revision. Operations and read models use these objects,
// never actors.
import type { ContextOf, Kind } from '../../../machines/kinds.ts'

/** Value of `cluster` for records that belong to no cluster (organizations, API keys). */
export const EVERY_CLUSTER = '*'

export interface RecordState<K extends Kind = Kind> {
  readonly kind: K
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly revision: number
  /** State of the machine, e.g. `active`. */
  readonly value: string
  readonly context: ContextOf<K>
}

/** Kinds of records that have an address on chain. */
export type HoldingKind = 'account' | 'position' | 'instrument' | 'lookupTable' | 'nonce' | 'dataSource'
export type HoldingState = { [K in HoldingKind]: RecordState<K> }[HoldingKind]

export const HOLDING_KINDS: readonly HoldingKind[] = [
  'account',
  'position',
  'instrument',
  'lookupTable',
  'nonce',
  'dataSource',
]
const HOLDINGS: ReadonlySet<Kind> = new Set(HOLDING_KINDS)

export function isHoldingKind(kind: Kind): kind is HoldingKind {
  return HOLDINGS.has(kind)
}

export function isHolding(state: RecordState): state is HoldingState {
  return HOLDINGS.has(state.kind)
}

/** Narrows a record to `kind`; undefined if it is of another kind. */
export function ofKind<K extends Kind>(state: RecordState | undefined, kind: K): RecordState<K> | undefined {
  return state?.kind === kind ? (state as RecordState<K>) : undefined
}

const ENDED: ReadonlySet<string> = new Set([
  'finalized',
  'blockchainError',
  'nonBlockchainError',
  'cancelled',
  'expired',
])

/** True for a transaction in a final state, which no event changes. */
export function hasEnded(state: RecordState | undefined): state is RecordState<'transaction'> {
  return state?.kind === 'transaction' && ENDED.has(state.value)
}
