// A record of which only the row is in memory, as it was at the start: most records are not used for a long time, and
// to parse them takes most of a start. The row is parsed when the record is first used. Rows are kept as bytes, many in
// one buffer, so that the garbage collector neither copies nor passes them. A buffer is freed when all its records have
// been used.
import type { Kind } from '../../../machines/kinds.ts'
import { recordIn } from '../../../snapshots/rows.ts'
import { fromEnvelope } from './codec.ts'
import type { RecordState } from './record.ts'

/** What many records have in common. */
export interface RecordGroup {
  readonly kind: Kind
  readonly tenant: string
  readonly cluster: string
  readonly value: string
}

/** What is known of a record without its row. */
export type RecordOutline = Pick<RecordState, 'kind' | 'tenant' | 'cluster' | 'id' | 'value'>

const SLAB_BYTES = 4 * 1024 * 1024
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Buffers of rows, filled one after the other. */
export class RowSlabs {
  #slab = Buffer.alloc(0)
  #end = 0

  /** undefined: the row is too long for a buffer of many. */
  add(group: RecordGroup, id: string, text: string): StoredRecord | undefined {
    const most = (id.length + text.length) * BYTES_PER_UNIT
    if (most > SLAB_BYTES) return undefined
    if (this.#end + most > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.#end = 0
    }
    const at = this.#end
    const row = at + this.#slab.write(id, at)
    this.#end = row + this.#slab.write(text, row)
    return new StoredRecord(group, this.#slab, [at, row, this.#end])
  }
}

export class StoredRecord implements RecordOutline {
  readonly #group: RecordGroup
  readonly #slab: Buffer
  readonly #at: number
  readonly #row: number
  readonly #end: number

  /** @param places where the id begins, where the row does, and where it ends */
  constructor(group: RecordGroup, slab: Buffer, places: readonly [at: number, row: number, end: number]) {
    this.#group = group
    this.#slab = slab
    ;[this.#at, this.#row, this.#end] = places
  }

  get kind(): Kind {
    return this.#group.kind
  }

  get tenant(): string {
    return this.#group.tenant
  }

  get cluster(): string {
    return this.#group.cluster
  }

  get value(): string {
    return this.#group.value
  }

  get group(): RecordGroup {
    return this.#group
  }

  /** The row. */
  get text(): string {
    return this.#slab.toString('utf8', this.#row, this.#end)
  }

  get id(): string {
    return this.#slab.toString('utf8', this.#at, this.#row)
  }

  /** Parses the row. Throws `CorruptRow`. */
  restore(): RecordState {
    const { kind, tenant, cluster, value } = this.#group
    const { id, text } = this
    const { version, revision, context } = recordIn({ tenant, cluster, id }, text)
    return fromEnvelope({ kind, version, revision, tenant, cluster, id, value, context }, noPayload)
  }
}

function noPayload(): never {
  throw new TypeError('transactions are parsed at the start')
}
