// Looks up records of other cells by the names that their owners write.
import type { NamedRows, NameTable, RowPage } from './disk.ts'
import type { CellClaims } from './claims.ts'
import { escapePart, isOldKey, lastPart, nameText, payloadKey, recordTenant, unescapePart } from './keys.ts'
import { NotAtHand } from './not-at-hand.ts'
import { decode, decodeOld, recordDecoder } from './rows.ts'
import type { Envelope, NamedEnvelope, Names } from './store.ts'

/** @param assertUsable throws once the store is closed, or a write has failed */
export function namesOn(table: NameTable, claims: CellClaims, assertUsable: () => void): Names {
  const { elsewhere } = table
  /** Caches decoded rows, so that the rows of one answer are decoded once. */
  const decoded = new WeakMap<NamedRows, readonly NamedEnvelope[]>()
  const of = (name: string): readonly NamedEnvelope[] => {
    assertUsable()
    const rows = elsewhere.get(name)
    let envelopes = decoded.get(rows)
    if (envelopes === undefined) {
      envelopes = rows.map(([key, text, payload]) => withPayload(envelopeOf([key, text]), payload))
      decoded.set(rows, envelopes)
    }
    return envelopes
  }
  return {
    missing: async () => (await table.missing()).map(unescapePart),
    complete: (tenants) => table.complete(tenants.map(escapePart)),
    hasNeighbours: () => elsewhere.exists(),
    of,
    async under(beginning) {
      assertUsable()
      return (await elsewhere.under(beginning)).map(envelopeOf)
    },
    async listed(beginning, limit) {
      assertUsable()
      const { names, count } = await elsewhere.listed(nameText(beginning), limit)
      return { names: names.map(unescapePart), count }
    },
    claim(name, shownBy) {
      assertUsable()
      if (elsewhere.exists() && !claims.holds(name)) throw new NotAtHand([{ read: 'claim', name }, ...shownBy])
    },
  }
}

function envelopeOf([key, text]: RowPage[number]): Envelope {
  return isOldKey(key) ? decodeOld(key, lastPart(key), text) : recordDecoder(recordTenant(key))(key, text)
}

function withPayload(envelope: Envelope, text: string | null): NamedEnvelope {
  if (text === null) return envelope
  const { tenant, cluster, id } = envelope
  return { ...envelope, payload: decode(payloadKey(tenant, cluster, id), text) }
}
