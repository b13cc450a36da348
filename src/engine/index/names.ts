// The names of a record: those of its index keys by which tenants of other cells may find it. They are written with the
// record, and only for a store that has other cells beside it. What a tenant may use of what it finds is decided by the
// operations, as it is for records of its own cell.
import type { StoreOp } from '../../../snapshots/store.ts'
import { isHolding, type RecordState } from '../records/record.ts'
import { elsewhereKeys } from './elsewhere-keys.ts'
import { idKey } from './index-keys.ts'
import { keysOf, sameKeys } from './record-keys.ts'

/**
 * Addresses and ids of live and closed records, grants and grants of fee payers, external ids of organizations, ids
 * of API keys, pages of payment requests, requests to custodians, escrows of loans, vaults of strategies, and what only
 * other cells look for (`elsewhere-keys.ts`). Nothing else of a tenant is found from another cell: references, owners
 * and authorities answer the own tenant only, and shared records are followed.
 */
const NAME = /^(?:[ackg]|org|orglike|key|pay|ask|escrow|vault|tx|list|lanes)\u0000/

/** True for keys under which records of other cells are found. */
export const isName = (key: string): boolean => NAME.test(key)

export function namesOf(state: RecordState): readonly string[] {
  const names = [...keysOf(state).filter(isName), ...elsewhereKeys(state)]
  return isNamedById(state) ? [idKey(state.id), ...names] : names
}

function isNamedById(state: RecordState): boolean {
  return isHolding(state) || state.kind === 'loan' || state.kind === 'paymentRequest'
}

/** The rows for the names that a change gives to its record, or takes from it: none for nearly every change. */
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

/** The names of a transaction that asks other tenants for signatures follow what was signed, not its index keys. */
function mayAskOthers(previous: RecordState, next: RecordState): boolean {
  return next.kind === 'transaction' && (elsewhereKeys(previous).length > 0 || elsewhereKeys(next).length > 0)
}

const NONE: readonly StoreOp[] = []
const NO_NAMES: readonly string[] = []
