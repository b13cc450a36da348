// Searches of operator commands in the committed rows of all cells: records by their state, records by a kind of name,
// and records that lack names. The commands own no cell.
import { escapePart, nameText, recordKey, recordsOf, recordTenant, unescapePart } from '../keys.ts'
import { recordDecoder } from '../rows.ts'
import type { Envelope } from '../store.ts'
import type { Database } from './database.ts'
import { pagesOf } from './range-reads.ts'
import { NAMES_VERSION } from './schema.ts'

const MATCHING = {
  text: `SELECT key, value FROM holdfast.row WHERE key >= $1 AND key < $2 AND value ~ $3 ORDER BY key`,
}
const NAMED = {
  text: `SELECT DISTINCT r.key, r.value FROM holdfast.name AS n
JOIN holdfast.tenant AS t ON t.tenant = n.tenant AND t.cell = $1
JOIN holdfast.row AS r ON r.key = 'r!' || n.tenant || '!' || n.id AND r.value IS NOT NULL
WHERE n.held AND n.key >= $2 AND n.key < $3 ORDER BY r.key`,
}
const UNNAMED = {
  text: `SELECT 1 FROM unnest($1::text[], $2::text[]) AS wanted (key, id)
WHERE NOT EXISTS (SELECT 1 FROM holdfast.name AS known
  WHERE known.key = wanted.key AND known.tenant = $3 AND known.id = wanted.id AND known.held) LIMIT 1`,
}
const TENANTS = { text: 'SELECT tenant, cell FROM holdfast.tenant ORDER BY tenant' }
const TO_NAME = { text: 'UPDATE holdfast.tenant SET names = 0 WHERE tenant = ANY ($1::text[])' }
const NOT_NAMED = { text: 'SELECT DISTINCT cell FROM holdfast.tenant WHERE names < $1::int ORDER BY cell' }
const NAMES_REQUIRED = { text: 'ALTER TABLE holdfast.tenant ALTER COLUMN names DROP DEFAULT' }
const COUNTS = { text: 'SELECT cell, count(*) FROM holdfast.tenant GROUP BY cell' }
/** Sorts after every character of a name. */
const END = '\u007f'
/** Prefix of long names, which are stored as hashes. */
const HASHED = '~'

/** The records of a tenant whose row texts match a regular expression. */
export async function recordsMatching(database: Database, tenant: string, pattern: string): Promise<Envelope[]> {
  const { gte = '', lt = '' } = recordsOf(tenant)
  return envelopesOf(await database.read(MATCHING, [gte, lt, pattern]))
}

/** The records of a cell with a name that begins with this text, and all records with hashed names. */
export async function recordsUnder(database: Database, cell: string, beginning: string): Promise<Envelope[]> {
  const rows = [nameText(beginning), HASHED].map((from) => database.read(NAMED, [cell, from, from + END]))
  return envelopesOf((await Promise.all(rows)).flat())
}

function envelopesOf(rows: readonly (readonly (string | null)[])[]): Envelope[] {
  return rows.flatMap(([key, value]) =>
    key == null || value == null ? [] : [recordDecoder(recordTenant(key))(key, value)],
  )
}

/** The number of tenants of each cell. Cells without tenants are absent. */
export async function tenantCounts(database: Database): Promise<ReadonlyMap<string, number>> {
  return new Map((await database.read(COUNTS, [])).map(([cell, count]) => [cell ?? '', Number(count)]))
}

/** The cells with tenants whose records get their names at the next claim. */
export async function cellsToName(database: Database): Promise<readonly string[]> {
  return (await database.read(NOT_NAMED, [NAMES_VERSION])).flatMap(([cell]) => cell ?? [])
}

/** Reads all records. Marks each tenant with a record that lacks a name: the next claim of its cell adds all names. */
export async function markUnnamed(
  database: Database,
  namesOf: (envelope: Envelope) => readonly string[],
): Promise<void> {
  const unnamed: string[] = []
  for (const [escaped] of await database.read(TENANTS, []))
    if (escaped != null && (await lacksNames(database, escaped, namesOf))) unnamed.push(escaped)
  if (unnamed.length > 0) await database.read(TO_NAME, [unnamed])
}

/** From now on the database refuses the commits of a release that writes no names. */
export async function requireNames(database: Database): Promise<void> {
  await database.read(NAMES_REQUIRED, [])
}

async function lacksNames(
  database: Database,
  escaped: string,
  namesOf: (envelope: Envelope) => readonly string[],
): Promise<boolean> {
  const tenant = unescapePart(escaped)
  const decode = recordDecoder(tenant)
  for await (const page of pagesOf(database, recordsOf(tenant)))
    if (
      await areUnnamed(
        database,
        page.map(([key, value]) => decode(key, value)),
        namesOf,
      )
    )
      return true
  return false
}

async function areUnnamed(
  database: Database,
  records: readonly Envelope[],
  namesOf: (envelope: Envelope) => readonly string[],
): Promise<boolean> {
  const names = records.flatMap((record) => namesOf(record).map((name) => [nameText(name), placeOf(record)] as const))
  const [first] = records
  if (first === undefined || names.length === 0) return false
  const columns = [names.map(([name]) => name), names.map(([, place]) => place)]
  return (await database.read(UNNAMED, [...columns, escapePart(first.tenant)])).length > 0
}

/** The part of the record's key after the tenant. */
function placeOf({ tenant, cluster, id }: Envelope): string {
  return recordKey(tenant, cluster, id).split('!').slice(2).join('!')
}
