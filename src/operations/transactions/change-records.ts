// Executes changes of records that need no transaction: one unit of work, stored under the idempotency key without its
// secrets, answered once it is durable.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, NeededApprovals, Outcome } from '../../contract/call.ts'
import type { Context } from '../context/platform.ts'
import { rememberOutcome } from './idempotency.ts'

/** The members of the answer to a change that was made, or the approvals that it needs first. */
export type RecordsChanged<Members extends JsonObject> =
  Pick<Outcome<Members>, 'members' | 'secrets' | 'heardBy' | 'pendingChange' | 'webhook' | 'batch'> | NeededApprovals

export async function changeRecords<Members extends JsonObject>(
  { platform, call }: Context,
  change: (unit: UnitOfWork) => RecordsChanged<Members>,
): Promise<Outcome<Members>> {
  const { result, durable } = platform.engine.transact((unit) => {
    const changed = change(unit)
    if (!('members' in changed)) return coveredOutcome<Members>(unit, changed)
    const outcome = outcomeOf<Members>(changed)
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}

/** The outcome of a change without a transaction. */
export function outcomeOf<Members extends JsonObject>(
  changed: Omit<Outcome<Members>, 'transactions' | 'shape' | 'awaited'>,
): Outcome<Members> {
  return { ...changed, transactions: [], shape: 'member', awaited: 'confirmed' }
}

/** The outcome of a covered change, whose unit of work is discarded. */
export function coveredOutcome<Members extends JsonObject>(
  unit: UnitOfWork,
  needsApproval: NeededApprovals,
): Outcome<Members> {
  unit.discard()
  return outcomeOf({ members: {} as Members, needsApproval })
}
