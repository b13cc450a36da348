// The names of a record: the index keys by which tenants of other cells may find it. They are written with the record,
// but only if the store has other cells. The operations decide what a tenant may use of such a record, as they do for
// records of the own cell.
import type { StoreOp } from '../../../snapshots/store.ts'
import { isHolding, type RecordState } from '../records/record.ts'
import { otherCellKeys } from './other-cell-keys.ts'
import { idKey } from './index-keys.ts'
import { keysOf, sameKeys } from './record-keys.ts'

/**
 * Addresses and ids of live and closed records, grants and grants of fee payers, external ids of organizations, ids of
 * API keys, pages of payment requests, requests to custodians, escrows of loans, vaults of strategies, feeds that
 * strategies and loans use, and the keys of `other-cell-keys.ts`. Other keys are not names: references, owners and
 * authorities are looked up only by the own tenant, and shared records are followed.
 */
const NAME = /^(?:[ackg]|org|orglike|key|pay|ask|escrow|vault|fu|tx|list|lanes)\u0000/

/** True for keys by which records of other cells are found. */
export const isName = (key: string): boolean => NAME.test(key)

export function namesOf(state: RecordState): readonly string[] {
  const names = [...keysOf(state).filter(isName), ...otherCellKeys(state)]
  return isNamedById(state) ? [idKey(state.id), ...names] : names
}

function isNamedById(state: RecordState): boolean {
  return isHolding(state) || state.kind === 'loan' || state.kind === 'paymentRequest'
}

/** The rows of names that a change adds to its record or removes from it: none for nearly every change. */
export function nameOps(previous: RecordState | undefined, next: RecordState): readonly StoreOp[] {
  if (previous !== undefined && sameKeys(previous, next) && !mayAskOthers(previous, next)) return NONE
  const before = previous === undefined ? NO_NAMES : namesOf(previous)
  const after = namesOf(next)
  const { tenant, cluster, id } = next
  const op = (name: string, held: boolean): StoreOp => ({ type: 'name', tenant, cluster, id, name, held })
  return [
    ...before.filter((name) => !after.includes(name)).map((name) => op(name, false)),
    ...after.filter((name) => !before.includes(name)).map((name) => op(name, true)),
  ]
}

/** The names of a transaction that asks other tenants for signatures depend on its signatures, not its index keys. */
function mayAskOthers(previous: RecordState, next: RecordState): boolean {
  return next.kind === 'transaction' && (otherCellKeys(previous).length > 0 || otherCellKeys(next).length > 0)
}

const NONE: readonly StoreOp[] = []
const NO_NAMES: readonly string[] = []
