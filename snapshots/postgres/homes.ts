// Which cell a tenant belongs to. A tenant is born in the cell that writes its first row; only a move changes its cell.
import { escapePart, nameText, unescapePart } from '../keys.ts'
import type { Database } from './database.ts'

const ELSEWHERE = { name: 'holdfast-elsewhere', text: 'SELECT tenant FROM holdfast.tenant WHERE cell <> $1' }
const HOLDER = { name: 'holdfast-holder', text: 'SELECT tenant FROM holdfast.name WHERE key = $1 AND held LIMIT 1' }
/** Cells that their owners have let go, and that nobody has claimed since. */
const WAKE = {
  name: 'holdfast-wake',
  text: `UPDATE holdfast.cell SET due_at = now() FROM holdfast.tenant
WHERE tenant.tenant = ANY ($1::text[]) AND cell.cell = tenant.cell
  AND cell.node IS NULL AND cell.idle_epoch = cell.epoch AND (cell.due_at IS NULL OR cell.due_at > now())`,
}
const HOME = { name: 'holdfast-home', text: 'SELECT cell FROM holdfast.tenant WHERE tenant = $1' }

/** The tenants of all other cells. */
export async function tenantsElsewhere(database: Database, cell: string): Promise<ReadonlySet<string>> {
  const rows = await database.read(ELSEWHERE, [cell])
  return new Set(rows.flatMap(([tenant]) => (tenant == null ? [] : [unescapePart(tenant)])))
}

/** The idle cells of these tenants are due, so that a node claims them. */
export async function wakeCellsOf(database: Database, tenants: readonly string[]): Promise<void> {
  await database.query(WAKE, [tenants.map(escapePart)])
}

/** Each is asked once, and rejects when no answer comes in time. */
export class TenantHomes {
  readonly #database: Database
  readonly #boundMs: number

  constructor(database: Database, boundMs: number) {
    this.#database = database
    this.#boundMs = boundMs
  }

  /** undefined: nothing of the tenant was ever written. */
  async cellOfTenant(tenant: string): Promise<string | undefined> {
    const [row] = await this.#database.query(HOME, [escapePart(tenant)], this.#boundMs)
    return row?.[0] ?? undefined
  }

  /** The tenant of the record that has a name which no two records have. */
  async tenantOf(name: string): Promise<string | undefined> {
    const [row] = await this.#database.query(HOLDER, [nameText(name)], this.#boundMs)
    return row?.[0] == null ? undefined : unescapePart(row[0])
  }
}
