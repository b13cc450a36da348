// A call whose transaction is made together with those of other calls, or for a record: the items of a batch, and the
// occurrences of a schedule.
import type { Call, Outcome } from '../../contract/call.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Budget } from './budget.ts'
import type { Draft } from './draft.ts'
import type { Refusal } from '../../contract/refusal.ts'

export interface SharedCall extends Call {
  /** Takes the draft of the operation, and resolves with the outcome of the shared transaction. */
  readonly join?: (plan: (budget: Budget) => Draft) => Promise<Outcome>
  /** References of the item data, in addition to that of the call; absent: those of the draft. */
  readonly itemReferences?: readonly string[]
  /** Runs in the unit of work of the change. If it discards the unit, the change is not made despite the outcome. */
  readonly within?: (unit: UnitOfWork, outcome: Outcome) => void
  /**
   * Notes what only one item can have, e.g. an address. The check of a batch, which rolls back each item before the
   * next, refuses a later item that would have it too.
   */
  readonly take?: (name: string, taken: () => Refusal) => void
}

/** The members that only a shared call has. */
export function sharingOf(call: Call): Pick<SharedCall, 'join' | 'itemReferences' | 'within' | 'take'> {
  return call as SharedCall
}
