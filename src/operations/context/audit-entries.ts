// Builds the audit entries of a request: which key did what to which record, or was refused.
import type { Kind } from '../../../machines/kinds.ts'
import type { AuditResource, AuditEntry } from '../../engine/audit/audit-row.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, Caller, JsonObject, JsonValue, Outcome } from '../../contract/call.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'
import { isLongerThan } from '../../contract/values/text.ts'

const NOTHING: AuditResource = { kind: null, onchainId: null, offchainId: null }
/** Members of answers that name a loan, by the ids of its escrow. */
const LOANS: ReadonlySet<string> = new Set(['newLoan', 'updatedLoan', 'closedLoan'])
/** Depth to which an answer or a body is searched for the resource. */
const DEPTH = 4
/** Characters of the longest id: the `keyId` of a subject, `jwt:` and 255 characters. */
const MAX_ID_LENGTH = 259
const LONE_SURROGATE = /\p{Cs}/u

/** The members of an outcome that name its resource. */
type AuditedOutcome = Pick<Outcome, 'members' | 'transactions' | 'pendingChange'>

/** Records the entry of a completed write. Must be called inside the unit of work of that write. */
export function recordAudit(call: Call, unit: UnitOfWork, outcome: AuditedOutcome): void {
  unit.audit(auditEntryOf(call, call.tenant, resourceOf(unit, outcome)))
}

/** Records the entry of a use of a record that does not change the record. */
export function recordUse(call: Call, unit: UnitOfWork, { kind, id, context }: HoldingState): void {
  unit.audit(auditEntryOf(call, call.tenant, { kind: kindName(kind), onchainId: context.address, offchainId: id }))
}

/** Records the write in the audit logs of other tenants whose records it changes. */
export function recordAuditForOtherTenants(call: Call, unit: UnitOfWork, outcome: AuditedOutcome): void {
  const tenants = new Set([...unit.touched.keys()].map(({ head }) => head.tenant))
  for (const { to } of unit.messages) tenants.add(to)
  // The only record of SYSTEM that another tenant changes is the switch of a lane, which belongs to that tenant.
  for (const tenant of [call.tenant, SYSTEM_TENANT]) tenants.delete(tenant)
  const resource = resourceOf(unit, outcome)
  const owner = [...unit.touched.keys()].find(({ head }) => head.id === resource.offchainId)?.head.tenant
  for (const tenant of tenants) {
    // Other tenants do not see ids of the caller's transactions, nor of records known to be of a third tenant.
    const isTheirs = owner === undefined ? resource.kind !== 'transaction' : owner === tenant
    unit.audit(auditEntryOf(call, tenant, isTheirs ? resource : firstTouched(unit, tenant)))
  }
}

/**
 * The first record of the tenant that the unit of work touched. Records that the caller created for itself are not
 * shown to the tenant.
 */
function firstTouched(unit: UnitOfWork, tenant: string): AuditResource {
  const touched = [...unit.touched.keys()]
    .map(({ head }) => head)
    .find((head): head is HoldingState => head.tenant === tenant && isHolding(head))
  return touched === undefined
    ? NOTHING
    : { kind: kindName(touched.kind), onchainId: touched.context.address, offchainId: touched.id }
}

function auditEntryOf({ caller, endpoint, requestId }: Call, tenant: string, resource: AuditResource): AuditEntry {
  return { tenant, keyId: caller.keyId, action: endpoint, outcome: 'DONE', resource, requestId }
}

/**
 * The entry of a refused right, in the log of the key's tenant. `body`: the body of the request, as far as it was
 * parsed.
 */
export function refusalEntryOf(
  { keyId, tenant }: Pick<Caller, 'keyId' | 'tenant'>,
  { action, requestId, body }: { readonly action: string; readonly requestId: string; readonly body: unknown },
): AuditEntry {
  return {
    tenant,
    keyId,
    action,
    outcome: 'REFUSED',
    resource: findResource(body as JsonValue, DEPTH) ?? NOTHING,
    requestId,
  }
}

function resourceOf(unit: UnitOfWork, { members, transactions, pendingChange }: AuditedOutcome): AuditResource {
  const resource = findResource(members, DEPTH)
  if (resource !== null)
    return resource.kind === null ? { ...resource, kind: kindOf(unit, resource.offchainId) } : resource
  // A decision about a change answers the change alone.
  if (pendingChange !== undefined) return { kind: 'pending_change', onchainId: null, offchainId: pendingChange }
  const last = transactions.at(-1)
  return last === undefined ? NOTHING : { kind: 'transaction', onchainId: null, offchainId: last }
}

/** The first object with an id: a record, an API key by `keyId`, an organization by external id. */
function findResource(value: JsonValue | undefined, depth: number): AuditResource | null {
  if (typeof value !== 'object' || value === null || depth === 0) return null
  if (!Array.isArray(value)) {
    const own = idsIn(value as JsonObject)
    if (own !== null) return own
  }
  for (const [name, member] of Object.entries(value)) {
    const resource = findResource(member as JsonValue, depth - 1)
    if (resource !== null) return LOANS.has(name) ? { ...resource, kind: 'loan' } : resource
  }
  return null
}

function idsIn({ onchainId, offchainId, keyId, externalId, organizationExternalId }: JsonObject): AuditResource | null {
  if (isId(offchainId) || isId(onchainId)) {
    return {
      kind: null,
      onchainId: isId(onchainId) ? onchainId : null,
      offchainId: isId(offchainId) ? offchainId : null,
    }
  }
  if (isId(keyId)) return { kind: 'api_key', onchainId: null, offchainId: keyId }
  const organization = isId(externalId) ? externalId : organizationExternalId
  return isId(organization) ? { kind: 'organization', onchainId: null, offchainId: organization } : null
}

/** A string with a lone surrogate has no canonical JSON form, so no id contains one. */
function isId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && !isLongerThan(MAX_ID_LENGTH, value) && !LONE_SURROGATE.test(value)
}

function kindOf(unit: UnitOfWork, id: string | null): string | null {
  const kind = id === null ? null : unit.kindOf(id)
  return kind === null ? null : kindName(kind)
}

/** In the form of event types, such as `lookup_table`. */
function kindName(kind: Kind): string {
  return kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
