// Merges several sorted sources of rows into one, in key order.
import type { RowPage } from '../disk.ts'

const PAGE_ROWS = 1_000

interface Source {
  readonly pages: AsyncIterator<RowPage>
  page: RowPage
  at: number
}

/** Two sources must not have a row with the same key. */
export async function* mergedPages(
  sources: readonly AsyncIterable<RowPage>[],
  limit = Infinity,
): AsyncGenerator<RowPage, void, undefined> {
  const open: Source[] = []
  const all = sources.map((source) => source[Symbol.asyncIterator]())
  try {
    for (const pages of all) {
      const source = { pages, page: [], at: 0 }
      if (await fill(source)) open.push(source)
    }
    let rows: RowPage[number][] = []
    let left = limit
    while (open.length > 0 && left > 0) {
      const first = open.reduce((least, source) => (keyOf(source) < keyOf(least) ? source : least))
      rows.push(first.page[first.at]!)
      left -= 1
      first.at += 1
      if (rows.length === PAGE_ROWS) {
        yield rows
        rows = []
      }
      if (!(await fill(first))) open.splice(open.indexOf(first), 1)
    }
    if (rows.length > 0) yield rows
  } finally {
    for (const pages of all) await pages.return?.()
  }
}

const keyOf = ({ page, at }: Source): string => page[at]![0]

/** False: the source has no further row. */
async function fill(source: Source): Promise<boolean> {
  while (source.at >= source.page.length) {
    const next = await source.pages.next()
    if (next.done === true) return false
    source.page = next.value
    source.at = 0
  }
  return true
}
