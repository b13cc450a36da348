// Records of tenants of other cells, found by name in a recently committed state. They are never written here, and are
// cached only briefly.
import type { Envelope, NamedEnvelope, Names } from '../../../snapshots/store.ts'
import { fromEnvelope, type TransactionPayload } from '../records/codec.ts'
import { Entry } from '../records/entry.ts'
import { payloadOfRow } from '../records/payload-row.ts'
import type { RecordState } from '../records/record.ts'

/** Maximum number of cached entries; entries that are no longer read are then dropped. */
const MAX_ENTRIES = 10_000

export class OtherRecords {
  readonly #names: Pick<Names, 'hasNeighbours' | 'listed' | 'of' | 'under'>
  /** Entries by id, so that all names of a record return the same entry. */
  readonly #entries = new Map<string, Entry>()
  readonly #answers = new WeakMap<readonly Envelope[], readonly Entry[]>()

  constructor(names: Pick<Names, 'hasNeighbours' | 'listed' | 'of' | 'under'>) {
    this.#names = names
  }

  /** False: there is no other cell at this moment. */
  get exist(): boolean {
    return this.#names.hasNeighbours()
  }

  /** Throws `NotAtHand` for a name that must be fetched first. */
  find(name: string): readonly Entry[] {
    const envelopes = this.#names.of(name)
    let entries = this.#answers.get(envelopes)
    if (entries === undefined) {
      entries = envelopes.map((envelope) => this.#entryOf(envelope))
      this.#answers.set(envelopes, entries)
    }
    return entries
  }

  /** Reads the records with a name that begins with this text. */
  async under(beginning: string): Promise<RecordState[]> {
    return (await this.#names.under(beginning)).map((envelope) => fromEnvelope(envelope, () => payloadOf(envelope)))
  }

  /** Reads the first names that begin with this text, in order, and the number of all of them. */
  async listed(beginning: string, limit: number): ReturnType<Names['listed']> {
    return await this.#names.listed(beginning, limit)
  }

  #entryOf(envelope: NamedEnvelope): Entry {
    const known = this.#entries.get(envelope.id)
    if (known !== undefined && known.head.revision >= envelope.revision) return known
    const next = fromEnvelope(envelope, () => payloadOf(envelope))
    const entry = known ?? new Entry(next, next, undefined)
    entry.place = 'followed'
    entry.head = next
    entry.committed = next
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear()
    this.#entries.set(next.id, entry)
    return entry
  }
}

function payloadOf({ id, payload }: Envelope & Pick<NamedEnvelope, 'payload'>): TransactionPayload {
  if (payload === undefined) throw new TypeError(`the transaction ${id} was found by a name that it should not have`)
  return payloadOfRow(payload)
}
