// Checks that a page of the console shows the service's answer for that page: the same records in the same order, and
// the same count.

export interface ShownPage {
  /** `51–100 of 375 000`, with narrow spaces. */
  readonly range: string
  /** Text of the cells, by column title. */
  readonly rows: readonly (Readonly<Record<string, string>> & { readonly id: string })[]
}

export interface AnsweredPage {
  readonly count: number
  readonly items: readonly {
    readonly offchain: {
      readonly id: string
      readonly code: string
      readonly name: string
      readonly type: string
      readonly lamportsBalance: number
    }
  }[]
}

const NARROW_SPACES = /\u202f/g

/**
 * Throws if a row is missing, in the wrong place, or has different content.
 *
 * @param skip number of records before the page
 */
export function checkPage({ range, rows }: ShownPage, { count, items }: AnsweredPage, skip: number): void {
  const wantedRange = `${skip + 1}–${skip + items.length} of ${count}`
  if (range.replace(NARROW_SPACES, '') !== wantedRange)
    throw new Error(`the console shows ${range}, not ${wantedRange}`)
  if (rows.length !== items.length)
    throw new Error(`the console shows ${rows.length} rows of ${items.length}, from ${skip}`)
  for (const [index, { offchain }] of items.entries()) {
    const { id, code, name, type, lamportsBalance } = offchain
    const row = rows[index]!
    const balance = Math.round(Number(row['Balance']?.replace(NARROW_SPACES, '')) * 1e9)
    const shown = [row.id, row['Code'], row['Name'], row['Type'], balance].join(' · ')
    const expected = [id, code, name, type, lamportsBalance].join(' · ')
    if (shown !== expected) throw new Error(`row ${skip + index + 1} of the console is ${shown}, not ${expected}`)
  }
}
