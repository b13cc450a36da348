// Reads all rows of one tenant in a directory. Most keys contain the tenant. Cold records, their list entries and
// aliases, and the messages of transactions are found by the ids of the tenant's records.
import type { Disk, RowPage, Range } from '../disk.ts'
import * as keys from '../keys.ts'
import { decode } from '../rows.ts'

/** Letters of rows whose first key part is the tenant, except fences and records, which are read separately. */
const LETTERS = ['a', 'b', 'e', 'i', 'k', 'n', 'o', 'p', 'u', 'v'] as const
const BY_ID = [keys.everythingUnder('g'), keys.everythingUnder('h')]

/** Names of the facts that belong to one tenant. */
export interface FactsOfTenant {
  readonly names: readonly string[]
  /** Facts of which there is one per multiple of `every`: their names are `name`, `!` and the multiple. */
  readonly numbered: readonly { readonly name: string; readonly every: number }[]
}

/**
 * Pages in no particular order; the fence comes last.
 * @param tenant escaped, as in keys
 */
export async function* rowsOfTenant(
  disk: Disk,
  tenant: string,
  facts: FactsOfTenant,
): AsyncGenerator<RowPage, void, undefined> {
  const ids = new Set<string>()
  for await (const page of disk.pages(under('r', tenant))) {
    for (const [key] of page) ids.add(keys.recordPlace(key).id)
    yield page
  }
  for await (const page of disk.pages(keys.everythingUnder('t'))) {
    const own = page.filter(([key, text]) => tenantOfOld(key, text) === tenant)
    for (const [key] of own) ids.add(keys.lastPart(key))
    yield own
  }
  for await (const page of disk.pages(keys.everythingUnder('l')))
    yield page.filter(([key]) => ids.has(keys.listedPlace(key).id))
  for (const range of BY_ID)
    for await (const page of disk.pages(range)) yield page.filter(([key, text]) => ids.has(decode(key, text) as string))
  for await (const page of disk.pages(keys.ALL_NAMES))
    yield page.filter(([key]) => keys.nameRowOf(key).tenant === tenant)
  yield* factRows(disk, facts)
  for (const letter of LETTERS) yield* disk.pages(under(letter, tenant))
  const fence = `f!${tenant}`
  const text = disk.get(fence)
  if (text !== undefined) yield [[fence, text]]
}

async function* factRows(disk: Disk, { names, numbered }: FactsOfTenant): AsyncGenerator<RowPage, void, undefined> {
  for (const key of names.map(keys.metaKey)) {
    const text = disk.get(key)
    if (text !== undefined) yield [[key, text]]
  }
  for (const { name, every } of numbered) {
    const prefix = keys.metaKey(`${name}!`)
    for await (const page of disk.pages({ gte: prefix, lt: `${prefix}\u007f` }))
      yield page.filter(([key]) => isMultiple(key.slice(prefix.length), every))
  }
}

const isMultiple = (text: string, of: number): boolean => /^\d+$/.test(text) && Number(text) % of === 0

const under = (letter: string, tenant: string): Range => keys.everythingUnder(`${letter}!${tenant}`)

function tenantOfOld(key: string, text: string): string {
  return keys.escapePart((decode(key, text) as readonly string[])[0] ?? '')
}
