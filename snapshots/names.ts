// Records of other cells, by the names that their owners write with them.
import type { NameTable, Page } from './disk.ts'
import type { CellClaims } from './claims.ts'
import { escapePart, recordTenant, unescapePart } from './keys.ts'
import { NotAtHand } from './not-at-hand.ts'
import { recordDecoder } from './rows.ts'
import type { Envelope, Names } from './store.ts'

/** @param assertUsable throws once the store is closed, or a write has failed */
export function namesOn(table: NameTable, claims: CellClaims, assertUsable: () => void): Names {
  const { elsewhere } = table
  /** Rows of one answer are decoded once. */
  const decoded = new WeakMap<Page, readonly Envelope[]>()
  const of = (name: string): readonly Envelope[] => {
    assertUsable()
    const rows = elsewhere.get(name)
    let envelopes = decoded.get(rows)
    if (envelopes === undefined) {
      envelopes = rows.map(([key, text]) => recordDecoder(recordTenant(key))(key, text))
      decoded.set(rows, envelopes)
    }
    return envelopes
  }
  return {
    missing: async () => (await table.missing()).map(unescapePart),
    complete: (tenants) => table.complete(tenants.map(escapePart)),
    hasNeighbours: () => elsewhere.exists(),
    of,
    claim(name, shownBy) {
      assertUsable()
      if (elsewhere.exists() && !claims.holds(name)) throw new NotAtHand([{ read: 'claim', name }, ...shownBy])
    },
  }
}
