// A record as the engine holds it: immutable, one object per revision. Operations and read models see these, never actors.
import type { ContextOf, Kind } from '../../../machines/kinds.ts'

/** Records that are not of one cluster (organizations, API keys) stand under this name in its place. */
export const EVERY_CLUSTER = '*'

export interface RecordState<K extends Kind = Kind> {
  readonly kind: K
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly revision: number
  /** State of its machine, e.g. `active`. */
  readonly value: string
  readonly context: ContextOf<K>
}

/** Any kind that stands at an address on chain. */
export type HoldingKind = 'account' | 'position' | 'instrument' | 'lookupTable' | 'nonce' | 'dataSource'
export type HoldingState = { [K in HoldingKind]: RecordState<K> }[HoldingKind]

const HOLDINGS: ReadonlySet<Kind> = new Set<HoldingKind>(['account', 'position', 'instrument', 'lookupTable', 'nonce', 'dataSource'])

export function isHolding(state: RecordState): state is HoldingState {
  return HOLDINGS.has(state.kind)
}

/** Narrows a record to a kind; undefined when it is another. */
export function ofKind<K extends Kind>(state: RecordState | undefined, kind: K): RecordState<K> | undefined {
  return state?.kind === kind ? (state as RecordState<K>) : undefined
}

const ENDED: ReadonlySet<string> = new Set(['finalized', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired'])

/** A transaction that nothing will change any more. */
export function hasEnded(state: RecordState | undefined): state is RecordState<'transaction'> {
  return state?.kind === 'transaction' && ENDED.has(state.value)
}
