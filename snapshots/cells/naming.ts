// Writes the names of all records before the second cell is created, because its lookups need them.
import type { Disk, DiskOp } from '../disk.ts'
import { ALL_NAMES, ALL_OLD, keyOf, lastPart, NAMES_KEY, payloadKey, recordsOf } from '../keys.ts'
import { NAMES_VERSION } from '../postgres/schema.ts'
import { decode, decodeOld, recordDecoder } from '../rows.ts'
import type { Envelope } from '../store.ts'
import { tenantsIn, writeRow, type CellDirectories, type CellDirectory } from './directories.ts'

/** `.1`: cold records have names, too. */
const VERSION = `${String(NAMES_VERSION)}.1`

/** @param payload returns the decoded payload of a transaction */
export type NamesOfRecord = (envelope: Envelope, payload: () => unknown) => readonly string[]

/** A service with one cell does not maintain names, so existing names may be outdated. */
export function areNamed(directories: CellDirectories): boolean {
  return directories.all.length > 1 && directories.main.disk.get(NAMES_KEY) === VERSION
}

/** The directories must be opened as `alone`, or no cell may be open yet. */
export async function nameRecords(directories: CellDirectories, namesOf: NamesOfRecord): Promise<void> {
  const main = directories.main.disk
  await writeRow(main, NAMES_KEY, null)
  for (const directory of directories.all) {
    await removeNames(directory)
    for (const tenant of await tenantsIn(directory)) await nameTenant(directory, tenant, namesOf)
    await nameCold(directory, namesOf)
  }
  await writeRow(main, NAMES_KEY, VERSION)
}

export async function removeNames({ disk }: CellDirectory): Promise<void> {
  for await (const page of disk.pages(ALL_NAMES)) {
    const ops = page.map(([key]): DiskOp => ({ type: 'del', key }))
    await disk.write(ops, { sync: true })
  }
}

async function nameTenant({ disk }: CellDirectory, tenant: string, namesOf: NamesOfRecord): Promise<void> {
  const decodeRecord = recordDecoder(tenant)
  for await (const page of disk.pages(recordsOf(tenant)))
    await writeNames(
      disk,
      page.map(([key, text]) => decodeRecord(key, text)),
      namesOf,
    )
}

async function nameCold({ disk }: CellDirectory, namesOf: NamesOfRecord): Promise<void> {
  for await (const page of disk.pages(ALL_OLD))
    await writeNames(
      disk,
      page.map(([key, text]) => decodeOld(key, lastPart(key), text)),
      namesOf,
    )
}

async function writeNames(disk: Disk, records: readonly Envelope[], namesOf: NamesOfRecord): Promise<void> {
  const ops = records.flatMap((envelope): DiskOp[] => {
    const { tenant, cluster, id } = envelope
    const payload = (): unknown => {
      const beside = payloadKey(tenant, cluster, id)
      return decode(beside, disk.get(beside) ?? 'null')
    }
    return namesOf(envelope, payload).map((name) => {
      return { type: 'put', key: keyOf({ type: 'name', tenant, cluster, id, name, held: true }), value: '' }
    })
  })
  if (ops.length > 0) await disk.write(ops, { sync: true })
}
