// Change rows. The row of a record is long, and most of its members never change. A commit therefore writes only the
// changed members, in a change row at the next key, which replaces the previous change row. Readers get both as one row
// with the change as its last part, which is also a valid row of a record. In stores that several processes read,
// records are always written whole.
import { CHANGES_KEY, changeKey, isChangeKey } from './keys.ts'
import { CorruptRow } from './errors.ts'
import type { Disk, DiskOp, RowPage, Range } from './disk.ts'
import type { Row } from './group-commit.ts'
import type { StoreOp } from './store.ts'

const VERSION = '1'

/** The change rows that a commit writes or removes. */
export class ChangeRows {
  /** True if the store has change rows, queued or durable. */
  #exist: boolean

  constructor(disk: Disk) {
    this.#exist = disk.get(CHANGES_KEY) !== undefined
  }

  /** Adds the rows that an operation requires: a whole record, or its removal, deletes its change row. */
  add(rows: Row[], op: StoreOp, key: string): void {
    if (op.type === 'unloaded' || (op.type === 'record' && op.isAlone !== true)) {
      if (this.#exist) rows.push({ key: changeKey(key), text: () => null })
    } else if (op.type === 'change' && !this.#exist) {
      this.#exist = true
      rows.push({ key: CHANGES_KEY, text: () => VERSION })
    }
  }
}

/** Last character of a record row. */
const END = ']'

/**
 * The pages of a range, with each change row merged into the row of its record. A change row without its record, or
 * with a damaged one, yields a row that is not JSON: decoding it reports the damage with the key of the record.
 */
export async function* withChanges(pages: AsyncIterable<RowPage>): AsyncGenerator<RowPage, void, undefined> {
  let last: RowPage[number] | undefined
  for await (const page of pages) {
    const rows: RowPage[number][] = []
    for (const row of page) {
      const record = isChangeKey(row[0]) ? recordKeyOf(row[0]) : undefined
      if (record !== undefined && last?.[0] === record) {
        last = [record, joinChange(last[1], row[1]) ?? `${last[1]},${row[1]}`]
        continue
      }
      if (last !== undefined) rows.push(last)
      last = record === undefined ? row : [record, `,${row[1]}`]
    }
    if (rows.length > 0) yield rows
  }
  if (last !== undefined) yield [last]
}

const recordKeyOf = (key: string): string => key.slice(0, -changeKey('').length)

/** undefined: the row of the record is damaged. */
function joinChange(row: string, change: string): string | undefined {
  return row.endsWith(END) ? `${row.slice(0, -END.length)},${change}${END}` : undefined
}

const RECORDS: Range = { gte: 'r!', lt: 'r"' }

/** Merges all change rows into the rows of their records, for readers of single rows. Safe to interrupt and repeat. */
export async function foldChanges(disk: Disk): Promise<void> {
  if (disk.get(CHANGES_KEY) === undefined) return
  for await (const page of disk.pages(RECORDS)) {
    const changes = page.filter(([key]) => isChangeKey(key))
    if (changes.length > 0) await disk.write(foldedRows(disk, changes), { sync: true })
  }
  await disk.write([{ type: 'del', key: CHANGES_KEY }], { sync: true })
}

function foldedRows(disk: Disk, changes: RowPage): DiskOp[] {
  return changes.flatMap(([key, change]): DiskOp[] => {
    const record = recordKeyOf(key)
    const value = joinChange(disk.get(record) ?? '', change)
    if (value === undefined) throw new CorruptRow(record, new TypeError('the row does not fit its change'))
    return [
      { type: 'put', key: record, value },
      { type: 'del', key },
    ]
  })
}
