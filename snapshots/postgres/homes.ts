// Which cell a tenant belongs to. A tenant is born in the cell that writes its first row; only a move changes its cell.
import { escapePart, unescapePart } from '../keys.ts'
import type { Database } from './database.ts'

const ELSEWHERE = { name: 'holdfast-elsewhere', text: 'SELECT tenant FROM holdfast.tenant WHERE cell <> $1' }
const HOME = { name: 'holdfast-home', text: 'SELECT cell FROM holdfast.tenant WHERE tenant = $1' }

/** The tenants of all other cells. */
export async function tenantsElsewhere(database: Database, cell: string): Promise<ReadonlySet<string>> {
  const rows = await database.read(ELSEWHERE, [cell])
  return new Set(rows.flatMap(([tenant]) => (tenant == null ? [] : [unescapePart(tenant)])))
}

/** undefined: nothing of the tenant was ever written. */
export async function cellOfTenant(database: Database, tenant: string): Promise<string | undefined> {
  const [row] = await database.read(HOME, [escapePart(tenant)])
  return row?.[0] ?? undefined
}
