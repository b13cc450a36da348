// POST /audit/bulk: the audit log of the caller's tenant; for an organization below its root, the rows of that organization's own keys. The log is not kept in memory: a query reads it from the store, a few thousand rows
// at a time, through the same query engine as every other bulk query; whatever order is asked for is merged from these parts.
import { compileQuery, type CompiledQuery } from '../../engine/query/compile.ts'
import { compareKeyed, keyed, type Keyed } from '../../engine/query/evaluate.ts'
import { QueryRefused, type Query, type Resource } from '../../engine/query/field.ts'
import type { AuditRow } from '../../engine/audit/audit-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import { isOfRoot } from '../../contract/roles.ts'
import type { Call, JsonObject } from '../../contract/call.ts'
import type { Read } from '../context/platform.ts'
import { Refusal } from '../../contract/refusal.ts'

export const AUDIT: Resource<AuditRow> = {
  fields: [
    { name: 'sequence', type: 'NUMBER', read: ({ sequence }) => sequence },
    { name: 'at', type: 'TIMESTAMP', read: ({ at }) => at },
    { name: 'keyId', type: 'TEXT', read: ({ keyId }) => keyId },
    { name: 'action', type: 'TEXT', read: ({ action }) => action },
    { name: 'outcome', type: 'TEXT', values: ['DONE', 'REFUSED'], read: ({ outcome }) => outcome },
    { name: 'resourceOffchainId', type: 'OFFCHAIN_ID', nullable: true, read: ({ resource }) => resource.offchainId },
    { name: 'resourceOnchainId', type: 'ONCHAIN_ADDRESS_ID', nullable: true, read: ({ resource }) => resource.onchainId },
    { name: 'count', type: 'NUMBER', read: ({ count }) => count ?? 1 },
  ],
  defaultSort: [{ fieldName: 'sequence', sortDirection: 'DESC' }],
  id: ({ sequence }) => String(sequence).padStart(16, '0'),
}

const ROWS_AT_ONCE = 4_096

export interface AuditPage {
  readonly count: number
  readonly items: readonly AuditRow[]
}

/** Whose log is read, and which of its rows count; null: all. */
interface Log {
  readonly engine: Engine
  readonly tenant: string
  readonly isShown: ((row: AuditRow) => boolean) | null
}

export const fetchAudit: Read<{ readonly itemQuery: Query }> = async ({ engine }, call, { itemQuery }) => {
  const log: Log = { engine, tenant: call.tenant, isShown: isOfRoot(call) ? null : (row) => isOfKeyOf(engine, call, row) }
  const { count, items } = await pageOfAudit(log, compiled(itemQuery))
  return { count, items: items.map((row): JsonObject => ({ ...row, resource: { ...row.resource } })) }
}

/** A row names the key, and a key belongs to one organization for good. What a token did is shown to its own subject. */
function isOfKeyOf({ directory }: Engine, { caller, organization }: Call, { keyId }: AuditRow): boolean {
  if (keyId === caller.keyId) return true
  return ofKind(directory.first(apiKeyKey(keyId))?.committed, 'apiKey')?.context.organization === organization
}

/** Throws 400. */
function compiled(query: Query): CompiledQuery<AuditRow> {
  try {
    return compileQuery(AUDIT, query)
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    throw new Refusal(
      400,
      error.problems.map((problem) => ({ ...problem, pointer: `/itemQuery${problem.pointer}`, retryable: false })),
    )
  }
}

/** As of the newest row that is durable when it begins. */
async function pageOfAudit(log: Log, query: CompiledQuery<AuditRow>): Promise<AuditPage> {
  const { engine, tenant, isShown } = log
  const newest = engine.journal.audit.lastSequence(tenant)
  if (isShown === null && query.entries.length === 0 && isNewestFirst(query)) return await newestRows(log, newest, query)
  const bySequence = query.keys[0]?.field.name === 'sequence'
  const best = new Best(query, bySequence)
  let count = 0
  for (const after of partsOf(newest, bySequence && isNewestFirst(query))) {
    const rows = await rowsAfter(log, after, Math.min(ROWS_AT_ONCE, newest - after))
    const shown = isShown === null ? rows : rows.filter(isShown)
    const found = await engine.readModel.among(AUDIT, shown, { ...query, skip: 0, limit: best.wanted })
    count += found.count
    best.take(found.items)
  }
  return { count, items: best.items() }
}

/** Where the parts of the log begin, in the order they are read. */
function partsOf(newest: number, backwards: boolean): number[] {
  const parts = Array.from({ length: Math.ceil(newest / ROWS_AT_ONCE) }, (_, part) => part * ROWS_AT_ONCE)
  return backwards ? parts.reverse() : parts
}

/** The first rows in order of all that are taken. Read in the order of the sequence itself, they only have to be counted. */
class Best {
  readonly #query: CompiledQuery<AuditRow>
  readonly #inOrder: boolean
  #kept: Keyed<AuditRow>[] = []

  constructor(query: CompiledQuery<AuditRow>, inOrder: boolean) {
    this.#query = query
    this.#inOrder = inOrder
  }

  /** Rows of one part that can still matter. */
  get wanted(): number {
    const { skip, limit } = this.#query
    if (limit === 0) return 0
    return this.#inOrder ? skip + limit - this.#kept.length : skip + limit
  }

  take(rows: readonly AuditRow[]): void {
    const { keys, skip, limit } = this.#query
    for (const row of rows) this.#kept.push(keyed(AUDIT.id(row), row, keys))
    if (!this.#inOrder) this.#kept = this.#kept.sort(compareKeyed(keys)).slice(0, skip + limit)
  }

  items(): AuditRow[] {
    return this.#kept.slice(this.#query.skip).map(({ record }) => record)
  }
}

/** What is asked for most: no row is read that is not shown. */
async function newestRows(log: Log, newest: number, { skip, limit }: CompiledQuery<AuditRow>): Promise<AuditPage> {
  const last = newest - skip
  const first = Math.max(0, last - limit)
  const rows = last <= 0 || limit === 0 ? [] : await rowsAfter(log, first, last - first)
  return { count: newest, items: rows.reverse() }
}

function isNewestFirst({ keys }: CompiledQuery<AuditRow>): boolean {
  const [first] = keys
  return first?.field.name === 'sequence' && first.descending
}

function rowsAfter({ engine, tenant }: Log, after: number, limit: number): Promise<AuditRow[]> {
  return engine.journal.audit.after(engine.store, tenant, after, limit)
}
