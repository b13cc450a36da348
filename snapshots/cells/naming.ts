// The names of all records, written before there is a second cell that could look for them.
import type { DiskOp } from '../disk.ts'
import { ALL_NAMES, keyOf, NAMES_KEY, payloadBeside, recordsOf } from '../keys.ts'
import { NAMES_VERSION } from '../postgres/schema.ts'
import { decode, recordDecoder } from '../rows.ts'
import type { Envelope } from '../store.ts'
import { tenantsIn, writeRow, type CellDirectories, type CellDirectory } from './directories.ts'

const AT_ONCE = 1_000

/** @param payload of a transaction, decoded */
export type NamesOfRecord = (envelope: Envelope, payload: () => unknown) => readonly string[]

/** While there is one cell, names are not written: what there is may be wrong. */
export function areNamed(directories: CellDirectories): boolean {
  return directories.all.length > 1 && directories.main.disk.get(NAMES_KEY) === String(NAMES_VERSION)
}

/** The directories must be open alone, or before any cell is. */
export async function nameRecords(directories: CellDirectories, namesOf: NamesOfRecord): Promise<void> {
  const main = directories.main.disk
  await writeRow(main, NAMES_KEY, null)
  for (const directory of directories.all) {
    await removeNames(directory)
    for (const tenant of await tenantsIn(directory)) await nameTenant(directory, tenant, namesOf)
  }
  await writeRow(main, NAMES_KEY, String(NAMES_VERSION))
}

export async function removeNames({ disk }: CellDirectory): Promise<void> {
  for await (const page of disk.pages(ALL_NAMES)) {
    const ops = page.map(([key]): DiskOp => ({ type: 'del', key }))
    await disk.write(ops, { sync: true })
  }
}

async function nameTenant({ disk }: CellDirectory, tenant: string, namesOf: NamesOfRecord): Promise<void> {
  const decodeRecord = recordDecoder(tenant)
  let ops: DiskOp[] = []
  for await (const page of disk.pages(recordsOf(tenant))) {
    for (const [key, text] of page) {
      const envelope = decodeRecord(key, text)
      const { cluster, id } = envelope
      const payload = (): unknown => {
        const beside = payloadBeside(key)
        return decode(beside, disk.get(beside) ?? 'null')
      }
      for (const name of namesOf(envelope, payload))
        ops.push({ type: 'put', key: keyOf({ type: 'name', tenant, cluster, id, name, held: true }), value: '' })
    }
    if (ops.length < AT_ONCE) continue
    await disk.write(ops, { sync: true })
    ops = []
  }
  if (ops.length > 0) await disk.write(ops, { sync: true })
}
