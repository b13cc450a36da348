// Executes administrative changes: one unit of work, stored under the idempotency key, answered once it is durable.
import { OwnedByOtherCell, type UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, ChangeAudience, JsonObject, NeededApprovals, Outcome, SwitchPlace } from '../../contract/call.ts'
import { recordAuditForOtherTenants } from '../context/audit-entries.ts'
import { coveredOutcome, outcomeOf } from '../transactions/change-records.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { untilOthersAct } from '../transactions/heard-by.ts'
import type { Context, Platform } from '../context/platform.ts'
import { writerOf } from '../context/serving.ts'
import { badRequest } from '../../contract/refusal.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { requireAdministrator } from '../../contract/roles.ts'

export interface AdministrationResult<Members extends JsonObject> {
  readonly members: Members
  /** Id of the organization that the members show. */
  readonly organization?: string
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
  change: (unit: UnitOfWork) => AdministrationResult<Members> | NeededApprovals,
): Promise<Outcome<Members>> {
  requireAdministrator(call.caller)
  if (call.dryRun)
    throw badRequest('DRY_RUN_WITHOUT_TRANSACTION', 'a dry run requires a request that creates a transaction', '')
  const { result, durable } = platform.engine.transact((unit) => {
    unit.openFor(writerOf(call))
    const changed = change(unit)
    if (!('members' in changed)) return coveredOutcome<Members>(unit, changed)
    const heardBy = heardByOthers(platform, call, unit)
    const alone = outcomeOf<Members>(changed)
    const outcome = heardBy === null ? alone : { ...alone, heardBy }
    rememberOutcome(call, unit, outcome)
    recordAuditForOtherTenants(call, unit, outcome)
    return unit.isDiscarded ? alone : outcome
  })
  await durable
  await untilOthersAct(platform, result)
  return result
}

/**
 * Other cells apply a change some moments after it is durable, but a switch or a key must be off when that is answered.
 * null: no other cell acts by the change. Throws `OwnedByOtherCell` for a request that names another organization than
 * the one that it is about.
 */
function heardByOthers({ engine, otherCells }: Platform, call: Call, unit: UnitOfWork): ChangeAudience | null {
  const elsewhere = unit.messages.flatMap(({ to }) => (engine.owns(to) ? [] : [to]))
  const switches = switchesOfSystem(call, unit)
  // The switch of a lane that a tenant turns itself is a record of SYSTEM.
  const other = elsewhere.find((to) => to !== SYSTEM_TENANT || switches.length === 0)
  if (other !== undefined && call.tenant !== SYSTEM_TENANT) throw new OwnedByOtherCell(other, call.tenant)
  if (otherCells === undefined) return null
  const own = call.servedFor === undefined ? [] : [call.tenant]
  const tenants = [...new Set([...elsewhere, ...own, ...(switches.length > 0 ? [SYSTEM_TENANT] : [])])]
  const everyCell = changesSystem(unit)
  if (!everyCell && tenants.length === 0) return null
  return { everyCell, sender: writerOf(call), tenants, ...(switches.length > 0 ? { switches } : {}) }
}

/** Those that are turned by a message. */
function switchesOfSystem({ cluster }: Call, unit: UnitOfWork): SwitchPlace[] {
  const items = unit.messages.flatMap(({ to, notices }) => (to === SYSTEM_TENANT ? notices : []))
  return items.flatMap((item) => {
    if (item.kind === 'order') return item.of === 'suspension' ? [{ cluster, id: item.record }] : []
    return item.kind === 'new' && item.of === 'suspension' ? [{ cluster, id: item.id }] : []
  })
}

function changesSystem(unit: UnitOfWork): boolean {
  if (unit.messages.some(({ to }) => to === SYSTEM_TENANT)) return true
  return [...unit.touched.keys()].some(({ head }) => head.tenant === SYSTEM_TENANT)
}
