// A consistent view of the cold records, while records continue to be evicted from memory.
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import { fromEnvelope, type TransactionPayload } from '../records/codec.ts'
import type { Entry } from '../records/entry.ts'
import type { Envelope, ListedRow, Store, StoreView } from '../../../snapshots/store.ts'
import type { OldView } from '../query/listing.ts'
import { ofCells } from '../records/own-fact.ts'
import type { RecordState } from '../records/record.ts'

/** A fact that does not exist. Reading it makes the store take the snapshot of the view. */
const MOMENT = 'moment'

export type PayloadOf = (place: {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
}) => TransactionPayload

/** Store name of the number of records in a list. */
export const countName = (list: string): string => `old:${list}`

/** Records that are in memory for the view, even if the store already has them. */
export interface MemoryRecords {
  /** Grows until `close`, because the store may take its snapshot shortly after the view is opened. */
  readonly entries: ReadonlySet<Entry>
  readonly close: () => void
}

export interface ColdViewDependencies {
  readonly store: Store
  /** The lists that contain the record while it is cold. */
  readonly listsOf: (state: RecordState) => readonly string[]
  readonly payloadOf: PayloadOf
  readonly inMemory: MemoryRecords
}

export class ColdView implements OldView {
  readonly #deps: ColdViewDependencies
  readonly #view: StoreView
  /** The lists of the records that are both in memory and in the store. */
  readonly #duplicates: Promise<ReadonlyMap<string, readonly string[]>>

  constructor(deps: ColdViewDependencies) {
    this.#deps = deps
    this.#view = deps.store.view()
    this.#duplicates = this.#findDuplicates(deps.inMemory)
    this.#duplicates.catch(() => undefined)
  }

  async #findDuplicates({ entries, close }: MemoryRecords): Promise<ReadonlyMap<string, readonly string[]>> {
    try {
      // The store has taken its snapshot when the first read is answered.
      await this.#view.meta(MOMENT)
      const evicting = [...entries]
      const stored = await Promise.all(evicting.map(({ head }) => this.#view.old(head.id)))
      return new Map(
        evicting.flatMap(({ head }, at) => (stored[at] === undefined ? [] : [[head.id, this.#deps.listsOf(head)]])),
      )
    } finally {
      close()
    }
  }

  async count(list: string): Promise<number> {
    const name = countName(list)
    const ofOthers = await this.#view.metas(ofCells(name))
    const counts = [await this.#view.meta(name), ...ofOthers.values()] as (number | undefined)[]
    const listed = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    return listed - [...(await this.#duplicates).values()].filter((lists) => lists.includes(list)).length
  }

  async inMemory(): Promise<ReadonlySet<string>> {
    return new Set((await this.#duplicates).keys())
  }

  listed(list: string, fromMs: number | null, toMs: number | null): AsyncIterable<readonly ListedRow[]> {
    return this.#view.listed(list, fromMs, toMs)
  }

  async states(ids: readonly string[]): Promise<RecordState[]> {
    const envelopes = await Promise.all(ids.map((id) => this.#envelope(id)))
    return await atHand(this.#deps.store, () =>
      onEach(envelopes, (envelope) => fromEnvelope(envelope, () => this.#deps.payloadOf(envelope))),
    )
  }

  async #envelope(id: string): Promise<Envelope> {
    const envelope = await this.#view.old(id)
    if (envelope === undefined) throw new Error(`old record ${id} is listed but missing`)
    return envelope
  }

  async close(): Promise<void> {
    await this.#duplicates.catch(() => undefined)
    await this.#view.close()
  }
}
