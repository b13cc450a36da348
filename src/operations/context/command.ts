// Commands of a request to records. A command that the machine of a record rejects is refused to the caller.
import type { EventOf, Kind } from '../../../machines/kinds.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { CommandRejected, type UnitOfWork } from '../../engine/records/unit-of-work.ts'
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
  refusing(() => unit.send<K>(entry, event), pointer)
}

/** As `command`, for changes that may concern a record of another tenant. */
export function refusing(change: () => unknown, pointer: string): void {
  try {
    change()
  } catch (error) {
    if (error instanceof CommandRejected) throw badRequest(error.rejection.code, error.rejection.detail, pointer)
    throw error
  }
}
