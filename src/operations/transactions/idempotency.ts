// The same key gives the same effect once: the row that says so rides in the batch of the change itself.
import { hash } from 'node:crypto'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { noteDone } from '../context/audit-entries.ts'
import type { Call, JsonObject, JsonValue, Outcome } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

/** How deep in an answer the ids of records are looked for. */
const DEPTH = 4

export interface IdempotencyRow {
  readonly digest: string
  /** Without its secrets. */
  readonly outcome: Outcome
}

/**
 * Remembers an outcome: in the audit log, and under the call's key if it has one. To be called once in every unit of work that makes a
 * change for a caller: a dry run that gets here would change something without a transaction, and is taken back.
 */
export function rememberOutcome(call: Call, unit: UnitOfWork, outcome: Outcome): void {
  if (call.dryRun) throw badRequest('DRY_RUN_WITHOUT_TRANSACTION', 'this request would make no transaction', '')
  noteDone(call, unit, outcome)
  if (call.idempotency === null) return
  const { secrets: _shownOnce, ...kept } = outcome
  const row: IdempotencyRow = { digest: call.idempotency.digest, outcome: kept }
  unit.also(call.tenant, { type: 'idempotency', tenant: call.tenant, cluster: call.cluster, scope: scopeOf(call), row })
}

/**
 * The outcome of an earlier request with the key. Throws 400 `IDEMPOTENCY_KEY_REUSED` when that had another body, or when nothing shows
 * which organization made it.
 */
export function recalledOutcome(platform: Platform, call: Call): Outcome | undefined {
  if (call.idempotency === null) return undefined
  const row = storedRow(platform, call, scopeOf(call)) ?? rowOfOldScope(platform, call)
  if (row === undefined) return undefined
  checkDigest(row.digest, call.idempotency.digest)
  return row.outcome
}

export function checkDigest(stored: string, given: string): void {
  if (stored !== given) throw badRequest('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used with another body', '')
}

/** Scope of a key: tenant, cluster (both in the store's key), organization acted for and endpoint. None of them has a NUL. */
export function scopeOf({ organization, endpoint, idempotency }: Call): string {
  return hash('sha256', `${organization}\u0000${endpoint}\u0000${idempotency?.key ?? ''}`, 'hex')
}

function storedRow({ engine }: Platform, { tenant, cluster }: Call, scope: string): IdempotencyRow | undefined {
  return engine.store.idempotency(tenant, cluster, scope) as IdempotencyRow | undefined
}

/**
 * Rows of earlier releases are of the whole tenant: one counts for the organization whose record its outcome names, and for no other.
 * Where no record shows that, the request is refused: run again it could pay twice, replayed it could swallow another organization's.
 */
function rowOfOldScope(platform: Platform, call: Call): IdempotencyRow | undefined {
  const row = storedRow(platform, call, hash('sha256', `${call.endpoint}\u0000${call.idempotency?.key ?? ''}`, 'hex'))
  if (row === undefined) return undefined
  const organization = organizationOf(platform, row.outcome)
  if (organization === undefined) {
    throw badRequest('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used before, by an unknown organization of the tenant', '')
  }
  return organization === call.organization ? row : undefined
}

/** Of the first record among its transactions, its plan and the ids of its answer that names one. */
function organizationOf({ engine }: Platform, { transactions, plan, members }: Outcome): string | undefined {
  for (const id of [...transactions, ...(plan === undefined ? [] : [plan]), ...offchainIdsIn(members, DEPTH)]) {
    const organization = organizationNamedBy(engine.directory.byId(id)?.head)
    if (organization !== undefined) return organization
  }
  return undefined
}

function organizationNamedBy(state: RecordState | undefined): string | undefined {
  if (state === undefined) return undefined
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) return transaction.context.fixed.organization
  return 'organization' in state.context ? state.context.organization : undefined
}

function offchainIdsIn(value: JsonValue | undefined, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value as JsonObject).flatMap(([name, member]) =>
    name === 'offchainId' && typeof member === 'string' ? [member] : offchainIdsIn(member, depth - 1),
  )
}
