// Finds the cell of a tenant. A tenant belongs to the cell that writes its first row; only a move changes its cell.
import { escapePart, nameText, oldKey, recordTenant, unescapePart } from '../keys.ts'
import { decodeOld } from '../rows.ts'
import type { Statement } from './connection.ts'
import type { Database } from './database.ts'
import { NoAnswer } from './errors.ts'
import { StatementQueue } from './statement-queue.ts'

const ELSEWHERE = { name: 'holdfast-elsewhere', text: 'SELECT tenant FROM holdfast.tenant WHERE cell <> $1' }
/** Sets the due time of cells that their owners released as idle and that no node has claimed since. */
const WAKE = {
  name: 'holdfast-wake',
  text: `UPDATE holdfast.cell SET due_at = now() FROM holdfast.tenant
WHERE tenant.tenant = ANY ($1::text[]) AND cell.cell = tenant.cell
  AND cell.node IS NULL AND cell.idle_epoch = cell.epoch AND (cell.due_at IS NULL OR cell.due_at > now())`,
}
const HOMES = {
  name: 'holdfast-homes',
  text: 'SELECT tenant, cell FROM holdfast.tenant WHERE tenant = ANY ($1::text[])',
}
const NAMED = {
  name: 'holdfast-tenants-named',
  text: 'SELECT key, tenant FROM holdfast.name WHERE key = ANY ($1::text[]) AND held',
}
/** Maximum number of lookups of one statement. */
const MAX_LOOKUPS = 1_000

const HOLDERS = {
  name: 'holdfast-holders',
  text: 'SELECT DISTINCT tenant FROM holdfast.name WHERE key = $1 AND held',
}

/** The tenants of any cell that have a record with the name. */
export async function holdersOf(database: Database, name: string): Promise<readonly string[]> {
  const rows = await database.read(HOLDERS, [nameText(name)])
  return rows.flatMap(([tenant]) => (tenant == null ? [] : [unescapePart(tenant)]))
}

/** Looks up the row of every tenant, because its key has tenant and id; the key of a cold record has only the id. */
const RECORD = {
  name: 'holdfast-record',
  text: `SELECT r.key, r.value FROM holdfast.tenant AS t
JOIN holdfast.row AS r ON r.key = 'r!' || t.tenant || '!' || $1 AND r.value IS NOT NULL
UNION ALL SELECT key, value FROM holdfast.row WHERE key = $2 AND value IS NOT NULL`,
}

/** The tenant of any cell that has the record; undefined: there is none. */
export async function tenantOfRecord(
  database: Database,
  { cluster, id }: { readonly cluster: string; readonly id: string },
): Promise<string | undefined> {
  const cold = oldKey(id)
  for (const [key, text] of await database.read(RECORD, [`${escapePart(cluster)}!${escapePart(id)}`, cold])) {
    if (key == null || text == null) continue
    return key === cold ? decodeOld(key, id, text).tenant : recordTenant(key)
  }
  return undefined
}

/** The tenants of all other cells. */
export async function tenantsOfOtherCells(database: Database, cell: string): Promise<ReadonlySet<string>> {
  const rows = await database.read(ELSEWHERE, [cell])
  return new Set(rows.flatMap(([tenant]) => (tenant == null ? [] : [unescapePart(tenant)])))
}

/** Makes the idle cells of these tenants due now, so that a node claims them. */
export async function wakeCellsOf(database: Database, tenants: readonly string[]): Promise<void> {
  await database.query(WAKE, [tenants.map(escapePart)])
}

/**
 * Lookups without retries: each rejects if the database does not answer within the timeout. Requests need them before
 * their credentials are checked, so there may be any number of them: concurrent lookups share one statement.
 */
export class TenantHomes {
  readonly #homes: Lookups
  readonly #named: Lookups

  constructor(database: Database, boundMs: number) {
    this.#homes = lookupsOf(database, HOMES, boundMs)
    this.#named = lookupsOf(database, NAMED, boundMs)
  }

  /** undefined: the tenant has never written a row. */
  async cellOfTenant(tenant: string): Promise<string | undefined> {
    return await lookUp(this.#homes, escapePart(tenant))
  }

  /** The tenant of the record with this name, which must be unique. */
  async tenantOf(name: string): Promise<string | undefined> {
    const tenant = await lookUp(this.#named, nameText(name))
    return tenant === undefined ? undefined : unescapePart(tenant)
  }
}

/** Null: the database has no such row. */
type Lookups = StatementQueue<string, string | null>

/** @param statement selects keys and values by an array of keys */
function lookupsOf(database: Database, statement: Statement, boundMs: number): Lookups {
  return new StatementQueue({
    ask: async (keys) => {
      const values = new Map<string | null | undefined, string | null | undefined>()
      for (const [key, value] of await database.query(statement, [keys], boundMs)) values.set(key, value)
      return keys.map((key) => values.get(key) ?? null)
    },
    weightOf: () => 1,
    maxWeight: MAX_LOOKUPS,
    patienceMs: boundMs,
  })
}

async function lookUp(lookups: Lookups, key: string): Promise<string | undefined> {
  const value = await lookups.ask(key)
  if (value === undefined) throw new NoAnswer('earlier lookups take too long', { connecting: true })
  return value ?? undefined
}
