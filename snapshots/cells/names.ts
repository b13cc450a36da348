// Looks up records of other cells by name, in the directories of those cells. A name and its record are read from one
// snapshot, so they are consistent.
import type { ListedNames, NameTable, RowPage } from '../disk.ts'
import { lastPart, namesUnder, nameRowOf, nameText, oldKey, payloadBeside, rowsOfName } from '../keys.ts'
import { OtherCellNames, type NamedRow } from '../postgres/names.ts'
import type { CellDirectory } from './directories.ts'

export function namesInCells(others: readonly CellDirectory[]): NameTable['elsewhere'] {
  return new OtherCellNames({
    mayExist: ({ hashes }) => others.some(({ keys }) => keys.mayHaveHashed(hashes)),
    read: async (names) => (await Promise.all(others.map((other) => rowsNamed(other, names)))).flat(),
    under: async (beginning) =>
      (await Promise.all(others.map((other) => rowsUnder(other, beginning)))).flat().sort(byKey),
    listed: async (beginning, limit) => {
      const each = await Promise.all(others.map((other) => namesListed(other, beginning, limit)))
      const names = each.flatMap((one) => one.names).sort()
      return { names: names.slice(0, limit), count: each.reduce((sum, { count }) => sum + count, 0) }
    },
    hasNeighbours: () => others.length > 0,
  })
}

/** The escaped tenant of the record with this name, which must be unique. */
export async function tenantNamed(all: readonly CellDirectory[], name: string): Promise<string | undefined> {
  for (const { disk } of all)
    for await (const page of disk.pages(rowsOfName(name), 1)) for (const [key] of page) return nameRowOf(key).tenant
  return undefined
}

/** The escaped tenants that have a record with the name. */
export async function tenantsNamed(all: readonly CellDirectory[], name: string): Promise<readonly string[]> {
  const tenants = new Set<string>()
  for (const { disk } of all)
    for await (const page of disk.pages(rowsOfName(name))) for (const [key] of page) tenants.add(nameRowOf(key).tenant)
  return [...tenants]
}

async function rowsNamed({ disk, keys }: CellDirectory, wanted: readonly string[]): Promise<NamedRow[]> {
  const names = wanted.filter((name) => keys.mayHaveName(name))
  if (names.length === 0) return []
  const snapshot = disk.snapshot()
  try {
    const rows: NamedRow[] = []
    for (const name of names)
      for await (const page of snapshot.pages(rowsOfName(name)))
        for (const [key] of page) {
          const { tenant, place } = nameRowOf(key)
          const record = `r!${tenant}!${place}`
          // The payload of a transaction is a separate row.
          const payload = name.startsWith(REQUESTS) ? await snapshot.get(payloadBeside(record)) : undefined
          // An ended record may be cold.
          for (const row of [record, oldKey(lastPart(record))]) {
            const text = await snapshot.get(row)
            if (text === undefined) continue
            rows.push([name, row, text, payload ?? null])
            break
          }
        }
    return rows
  } finally {
    await snapshot.close()
  }
}

async function rowsUnder({ disk }: CellDirectory, beginning: string): Promise<RowPage[number][]> {
  const snapshot = disk.snapshot()
  try {
    const rows: RowPage[number][] = []
    for await (const page of snapshot.pages(namesUnder(beginning)))
      for (const [key] of page) {
        const { tenant, place } = nameRowOf(key)
        const record = `r!${tenant}!${place}`
        const text = await snapshot.get(record)
        if (text !== undefined) rows.push([record, text])
      }
    return rows
  } finally {
    await snapshot.close()
  }
}

async function namesListed({ disk }: CellDirectory, beginning: string, limit: number): Promise<ListedNames> {
  const names: string[] = []
  let count = 0
  for await (const page of disk.pages(namesUnder(beginning)))
    for (const [key] of page) {
      if (count < limit) names.push(nameRowOf(key).name)
      count += 1
    }
  return { names, count }
}

/** Prefix of the names of transactions. */
const REQUESTS = nameText('tx\u0000')
const byKey = ([one]: RowPage[number], [other]: RowPage[number]): number => (one < other ? -1 : 1)
