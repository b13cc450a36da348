// Idempotency keys: an outcome is stored under its key in the same batch as the change itself, so a key takes effect
// once.
import { hash } from 'node:crypto'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { onEach } from '../../../snapshots/at-hand.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { recordAudit } from '../context/audit-entries.ts'
import type { Call, JsonObject, JsonValue, Outcome } from '../../contract/call.ts'
import type { Platform, Context } from '../context/platform.ts'
import { writerOf } from '../context/serving.ts'
import { badRequest, credentialsInvalid, type Refusal } from '../../contract/refusal.ts'
import type { ServedOperation } from './served-request.ts'
import { sharingOf } from './shared-call.ts'

/** Depth to which an answer is searched for ids of records. */
const DEPTH = 4

interface IdempotencyRow {
  readonly digest: string
  /** The outcome without its secrets. */
  readonly outcome: Outcome
}

/** They may have been disabled while the request waited. Throws 401 `CREDENTIALS_INVALID`. */
function requireValidCredentials({ isRevoked }: Call): void {
  if (isRevoked?.() === true) throw credentialsInvalid()
}

/**
 * Stores an outcome in the audit log and, if the call has an idempotency key, under that key. Call it once in every
 * unit of work that changes something for a caller.
 * Throws 401 `CREDENTIALS_INVALID`, and 400 `DRY_RUN_WITHOUT_TRANSACTION`: a dry run that gets here would make a change
 * without a transaction. Either rolls the unit of work back.
 */
export function rememberOutcome(call: Call, unit: UnitOfWork, outcome: Outcome): void {
  requireValidCredentials(call)
  if (call.dryRun) throw withoutTransaction()
  sharingOf(call).within?.(unit, outcome)
  if (unit.isDiscarded) return
  recordAudit(call, unit, outcome)
  if (call.idempotency === null) return
  const { secrets: _shownOnce, ...kept } = outcome
  const row: IdempotencyRow = { digest: call.idempotency.digest, outcome: kept }
  const { tenant, cluster } = call
  const place = { cluster, scope: scopeOf(call) }
  const writer = writerOf(call)
  unit.also(writer, { type: 'idempotency', tenant: writer, ...place, row })
  // This row moves with the other rows of the writer, and decides every repeated request. The row of the caller's
  // tenant arrives later; it refuses the key to requests about other tenants.
  if (writer !== tenant) unit.sendMessage(tenant, { kind: 'remembered', ...place, row: rowOfCaller(row, call, writer) })
}

export function withoutTransaction(): Refusal {
  return badRequest('DRY_RUN_WITHOUT_TRANSACTION', 'a dry run requires a request that creates a transaction', '')
}

/**
 * The row that the caller's cell stores. For a signature it states only that the writer has the outcome, because the
 * transaction changes there and can be found from the caller's cell only while it waits.
 */
function rowOfCaller(row: IdempotencyRow, call: Call, writer: string): IdempotencyRow {
  const operation = signingIn(call)
  if (operation === undefined) return row
  return { digest: row.digest, outcome: { ...row.outcome, members: {}, elsewhere: { tenant: writer, operation } } }
}

/** The operation of a request about a transaction of another tenant, which its owner serves. */
function signingIn({ endpoint }: Call): ServedOperation | undefined {
  if (endpoint.endsWith('/submit')) return 'submit'
  return endpoint.endsWith('/sign') ? 'sign' : undefined
}

/**
 * The outcome of an earlier request with the same key; undefined: none. Throws 400 `IDEMPOTENCY_KEY_REUSED` if that
 * request had another body, or if the organization that made it is unknown.
 */
export function recalledOutcome(context: Context): Outcome | undefined {
  const { call } = context
  if (call.idempotency === null) return undefined
  const row = writersRow(context) ?? callersRow(context)
  if (row === undefined) return undefined
  checkDigest(row.digest, call.idempotency.digest)
  return row.outcome
}

export function checkDigest(stored: string, digest: string): void {
  if (stored !== digest)
    throw badRequest('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used with a different body', '')
}

/**
 * Scope of a key: organization acted for, endpoint and key, hashed. Tenant and cluster are part of the store's key.
 * None of the parts contains a NUL.
 */
export function scopeOf(call: Call): string {
  const known = scopes.get(call)
  if (known !== undefined) return known
  const scope = scopeWith(call, call.idempotency?.key ?? '')
  scopes.set(call, scope)
  return scope
}

const scopeWith = ({ organization, endpoint }: Call, key: string): string =>
  hash('sha256', `${organization}\u0000${endpoint}\u0000${key}`, 'hex')

/** Earlier releases stored a key as it was sent. */
const sentKeys = ({ idempotency }: Call): readonly string[] =>
  idempotency?.sentKey === undefined ? [] : [idempotency.sentKey]

const allScopesOf = (call: Call): readonly string[] => [
  scopeOf(call),
  ...sentKeys(call).map((key) => scopeWith(call, key)),
]

/** Cached, because a request needs its scope three times: to find a running request, a stored outcome, and to store. */
const scopes = new WeakMap<Call, string>()

function storedRow({ platform: { engine }, call }: Context, scope: string): IdempotencyRow | undefined {
  return engine.store.idempotency(call.tenant, call.cluster, scope) as IdempotencyRow | undefined
}

/**
 * The row among the rows of the tenant that the call is about. While that tenant was in the caller's cell, only the
 * caller's row was written; a tenant is closed before it moves to another cell, so that row is complete by then.
 */
function writersRow({ platform: { engine }, call }: Context): IdempotencyRow | undefined {
  const { servedFor, cluster } = call
  if (servedFor === undefined) return undefined
  return firstOf(allScopesOf(call), (scope) => engine.store.idempotency(servedFor, cluster, scope) as FoundRow)
}

type FoundRow = IdempotencyRow | undefined

function firstOf(scopes: readonly string[], find: (scope: string) => FoundRow): FoundRow {
  for (const scope of scopes) {
    const row = find(scope)
    if (row !== undefined) return row
  }
  return undefined
}

/** For a signature that the writer serves, the caller's row states only that the writer has the outcome. */
function callersRow(context: Context): IdempotencyRow | undefined {
  const { call } = context
  if (call.servedFor !== undefined && signingIn(call) !== undefined) return undefined
  return ownRow(context) ?? rowOfOldScope(context)
}

function ownRow(context: Context): IdempotencyRow | undefined {
  const { call } = context
  try {
    return firstOf(allScopesOf(call), (scope) => storedRow(context, scope))
  } catch (error) {
    // Fetches the rows of all scopes at once.
    if (error instanceof NotAtHand)
      onEach([...allScopesOf(call), ...oldScopesOf(call)], (scope) => storedRow(context, scope))
    throw error
  }
}

const oldScopesOf = (call: Call): readonly string[] =>
  [call.idempotency?.key ?? '', ...sentKeys(call)].map((key) => hash('sha256', `${call.endpoint}\u0000${key}`, 'hex'))

/**
 * Rows of earlier releases were scoped to the whole tenant. Such a row counts for the organization named by the
 * records of its outcome, and for no other. If no record names one, the request is refused: running it could pay
 * twice, and replaying it could show another organization's outcome.
 */
function rowOfOldScope(context: Context): IdempotencyRow | undefined {
  const { platform, call } = context
  const row = firstOf(oldScopesOf(call), (scope) => storedRow(context, scope))
  if (row === undefined) return undefined
  const organization = organizationOf(platform, row.outcome)
  if (organization === undefined) {
    throw badRequest(
      'IDEMPOTENCY_KEY_REUSED',
      'this idempotency key was used before, by an unknown organization of the tenant',
      '',
    )
  }
  return organization === call.organization ? row : undefined
}

/**
 * The organization of the first record that names one, among the transactions, the plan and the ids of the answer.
 */
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
