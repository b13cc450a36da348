// Commands of a request to records. A command that the machine of a record rejects is refused to the caller.
import type { EventOf, Kind } from '../../../machines/kinds.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Rejection, UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { badRequest } from '../../contract/refusal.ts'

/**
 * Throws 400 with the code of the rejection.
 *
 * @param pointer JSON pointer of the refusal
 */
export function command<K extends Kind>(
  unit: UnitOfWork,
  entry: Entry,
  event: EventOf<K>,
  pointer = '/itemData/offchainId',
): void {
  checkAccepted(unit.trySend<K>(entry, event), pointer)
}

/** As `command`, for a record that may be another tenant's. */
export function commandAnywhere<K extends Kind>(
  unit: UnitOfWork,
  entry: Entry,
  event: EventOf<K>,
  pointer: string,
): void {
  checkAccepted(unit.tryOrder<K>(entry, event), pointer)
}

function checkAccepted(rejected: Rejection | null, pointer: string): void {
  if (rejected !== null) throw badRequest(rejected.rejection.code, rejected.rejection.detail, pointer)
}
