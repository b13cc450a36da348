// Executes administrative changes: one unit of work, stored under the idempotency key, answered once it is durable.
import { OwnedElsewhere, type UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import { noteElsewhere } from '../context/audit-entries.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { requireAdministrator } from '../../contract/roles.ts'

export interface Administered<Members extends JsonObject> {
  readonly members: Members
  /** Shown once, never stored. */
  readonly secrets?: JsonObject
}

/**
 * Runs `change`, which decides and changes the records. Throws 403 `ROLE_REQUIRED` for a key without administrative
 * rights, and 400 `DRY_RUN_WITHOUT_TRANSACTION` before anything is changed, since administration makes no
 * transaction.
 */
export async function administer<Members extends JsonObject>(
  { platform, call }: Context,
  change: (unit: UnitOfWork) => Administered<Members>,
): Promise<Outcome<Members>> {
  requireAdministrator(call.caller)
  if (call.dryRun)
    throw badRequest('DRY_RUN_WITHOUT_TRANSACTION', 'a dry run requires a request that creates a transaction', '')
  const { result, durable } = platform.engine.transact((unit) => {
    unit.openFor(call.tenant)
    const outcome: Outcome<Members> = { ...change(unit), transactions: [], shape: 'member', awaited: 'confirmed' }
    // Another cell would apply the change after it is answered: a switch or a key must be off by then.
    const elsewhere = unit.messages.find(({ to }) => !platform.engine.owns(to))
    if (elsewhere !== undefined) throw new OwnedElsewhere(elsewhere.to, call.tenant)
    rememberOutcome(call, unit, outcome)
    noteElsewhere(call, unit, outcome)
    return { outcome, isOfSystem: changesSystem(unit) }
  })
  await durable
  if (result.isOfSystem) await platform.untilHeard?.()
  return result.outcome
}

function changesSystem(unit: UnitOfWork): boolean {
  if (unit.messages.some(({ to }) => to === SYSTEM_TENANT)) return true
  return [...unit.touched.keys()].some(({ head }) => head.tenant === SYSTEM_TENANT)
}
