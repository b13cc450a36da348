// POST /audit/bulk: the audit log of the caller's tenant; an organization below the root sees the rows of its own
// keys only. The log is not kept in memory: a query reads it from the store in parts of `ROWS_AT_ONCE` rows,
// evaluates each part with the common query engine, and merges the results in the requested order.
import type { CompiledQuery } from '../../engine/query/compile.ts'
import { compareKeyed, withSortKeys, type KeyedRecord } from '../../engine/query/evaluate.ts'
import type { Query, Resource } from '../../engine/query/field.ts'
import type { AuditRow } from '../../engine/audit/audit-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import { isOfRoot } from '../../contract/roles.ts'
import type { Call } from '../../contract/call.ts'
import type { Read } from '../context/platform.ts'
import { compiledQuery } from '../views/bulk/fetch.ts'
import type { AuditRowModel, PageOf } from '../../contract/schemas/answers.ts'

export const AUDIT: Resource<AuditRow> = {
  fields: [
    { name: 'sequence', type: 'NUMBER', read: ({ sequence }) => sequence },
    { name: 'at', type: 'TIMESTAMP', read: ({ at }) => at },
    { name: 'keyId', type: 'TEXT', read: ({ keyId }) => keyId },
    { name: 'action', type: 'TEXT', read: ({ action }) => action },
    { name: 'outcome', type: 'TEXT', values: ['DONE', 'REFUSED'], read: ({ outcome }) => outcome },
    { name: 'resourceOffchainId', type: 'OFFCHAIN_ID', nullable: true, read: ({ resource }) => resource.offchainId },
    {
      name: 'resourceOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      nullable: true,
      read: ({ resource }) => resource.onchainId,
    },
    { name: 'count', type: 'NUMBER', read: ({ count }) => count ?? 1 },
  ],
  defaultSort: [{ fieldName: 'sequence', sortDirection: 'DESC' }],
  id: ({ sequence }) => String(sequence).padStart(16, '0'),
}

const ROWS_AT_ONCE = 4_096

interface AuditPage {
  readonly count: number
  readonly items: readonly AuditRow[]
}

/** The log to read, and the filter of its visible rows; null: all rows. */
interface Log {
  readonly engine: Engine
  readonly tenant: string
  readonly isShown: ((row: AuditRow) => boolean) | null
}

export const fetchAudit: Read<{ readonly itemQuery: Query }, PageOf<AuditRowModel>> = async (
  { platform: { engine }, call },
  { itemQuery },
) => {
  const log: Log = {
    engine,
    tenant: call.tenant,
    isShown: isOfRoot(call) ? null : (row) => isOfKeyOf(engine, call, row),
  }
  const { count, items } = await pageOfAudit(log, compiledQuery(AUDIT, itemQuery))
  return { count, items }
}

/** A key belongs to one organization permanently. Rows of a token are visible to its own subject. */
function isOfKeyOf({ directory }: Engine, { caller, organization }: Call, { keyId }: AuditRow): boolean {
  if (keyId === caller.keyId) return true
  return ofKind(directory.firstOwn(apiKeyKey(keyId))?.committed, 'apiKey')?.context.organization === organization
}

/** The result as of the newest durable row at the start of the query. */
async function pageOfAudit(log: Log, query: CompiledQuery<AuditRow>): Promise<AuditPage> {
  const { engine, tenant, isShown } = log
  const newest = engine.journal.audit.lastSequence(tenant)
  if (isShown === null && query.entries.length === 0 && isNewestFirst(query))
    return await newestRows(log, newest, query)
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

/** Start sequences of the parts of the log, in reading order. */
function partsOf(newest: number, backwards: boolean): number[] {
  const parts = Array.from({ length: Math.ceil(newest / ROWS_AT_ONCE) }, (_, part) => part * ROWS_AT_ONCE)
  return backwards ? parts.reverse() : parts
}

/**
 * Collects the first rows of all parts in the requested order. If the log is read in that order, no rows have to be
 * compared.
 */
class Best {
  readonly #query: CompiledQuery<AuditRow>
  readonly #inOrder: boolean
  #kept: KeyedRecord<AuditRow>[] = []

  constructor(query: CompiledQuery<AuditRow>, inOrder: boolean) {
    this.#query = query
    this.#inOrder = inOrder
  }

  /** Number of rows of one part that can still be in the result. */
  get wanted(): number {
    const { skip, limit } = this.#query
    if (limit === 0) return 0
    return this.#inOrder ? skip + limit - this.#kept.length : skip + limit
  }

  take(rows: readonly AuditRow[]): void {
    const { keys, skip, limit } = this.#query
    for (const row of rows) this.#kept.push(withSortKeys(AUDIT.id(row), row, keys))
    if (!this.#inOrder) this.#kept = this.#kept.sort(compareKeyed(keys)).slice(0, skip + limit)
  }

  items(): AuditRow[] {
    return this.#kept.slice(this.#query.skip).map(({ record }) => record)
  }
}

/** Fast path of the most frequent query: reads only the rows shown. */
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
