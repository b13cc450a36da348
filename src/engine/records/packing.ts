// Packs record contexts into rows without members that hold their usual value (`machines/left-out.ts`). Such members
// are half of a full row, and row size determines the cost of commits, LevelDB compaction and starts.
import type { LeftOut } from '../../../machines/left-out.ts'

export type Members = Readonly<Record<string, unknown>>

/** The row to write. */
export function packMembers(context: Members, leftOut: LeftOut): Members {
  const { usual, within } = leftOut
  const row: Record<string, unknown> = {}
  for (const name in context) {
    const value = context[name]
    if (value === usual[name]) continue
    const inner = within[name]
    row[name] = inner !== undefined && isObject(value) ? packMembers(value, inner) : value
  }
  return row
}

/** Returns a function that restores the whole context from a row of one kind. Rows without omissions pass unchanged. */
export function unpackerOf({ always, usual, within }: LeftOut): (row: Members) => Members {
  // Copies of one parsed object take half the memory of objects built member by member.
  const shape = JSON.parse(
    JSON.stringify({
      ...Object.fromEntries([...always, ...Object.keys(within)].map((name) => [name, null])),
      ...usual,
    }),
  ) as Members
  const inner = new Map(Object.entries(within).map(([name, each]) => [name, unpackerOf(each)]))
  return (row) => {
    const context: Record<string, unknown> = { ...shape }
    for (const name in row) context[name] = row[name]
    for (const [name, unpack] of inner) if (isObject(context[name])) context[name] = unpack(context[name])
    return context
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}
