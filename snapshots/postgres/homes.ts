// Which cell a tenant belongs to. A tenant is born in the cell that writes its first row; only a move changes its cell.
import { escapePart, unescapePart } from '../keys.ts'
import type { Database } from './database.ts'

const ELSEWHERE = { name: 'holdfast-elsewhere', text: 'SELECT tenant FROM holdfast.tenant WHERE cell <> $1' }
/** Records are not indexed by what is in them: such a question reads the rows of all records. */
const HOLDER = {
  name: 'holdfast-holder',
  text: `SELECT split_part(key, '!', 2) FROM holdfast.row
WHERE key >= 'r!' AND key < 'r"' AND starts_with(value, $1) AND strpos(value, $2) > 0 LIMIT 1`,
}
const HOME = { name: 'holdfast-home', text: 'SELECT cell FROM holdfast.tenant WHERE tenant = $1' }

/** The tenants of all other cells. */
export async function tenantsElsewhere(database: Database, cell: string): Promise<ReadonlySet<string>> {
  const rows = await database.read(ELSEWHERE, [cell])
  return new Set(rows.flatMap(([tenant]) => (tenant == null ? [] : [unescapePart(tenant)])))
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
  readonly cellOfTenant = async (tenant: string): Promise<string | undefined> => {
    const [row] = await this.#database.query(HOME, [escapePart(tenant)], this.#boundMs)
    return row?.[0] ?? undefined
  }

  readonly tenantOfKey = (keyId: string): Promise<string | undefined> =>
    this.#holder('["apiKey",', `"keyId":${JSON.stringify(keyId)}`)

  readonly tenantOfOrganization = (externalId: string): Promise<string | undefined> =>
    this.#holder('["organization",', `"externalId":${JSON.stringify(externalId)}`)

  async #holder(kind: string, member: string): Promise<string | undefined> {
    const [row] = await this.#database.query(HOLDER, [kind, member], this.#boundMs)
    return row?.[0] == null ? undefined : unescapePart(row[0])
  }
}
