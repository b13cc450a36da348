// A record of which only the row is in memory. Most records are not used for a long time, and parsing all of them would
// take most of a start, so a row is parsed when its record is first used. Rows are bytes, many in one buffer, so that
// the garbage collector neither copies nor traverses them. A buffer is freed when all its records have been used.
import type { Kind } from '../../../machines/kinds.ts'
import { recordIn } from '../../../snapshots/rows.ts'
import { fromEnvelope } from './codec.ts'
import type { RecordState } from './record.ts'

/** Members that many records share. */
export interface RecordGroup {
  readonly kind: Kind
  readonly tenant: string
  readonly cluster: string
  readonly value: string
}

/** The members that are known without parsing the row. */
export type RecordOutline = Pick<RecordState, 'kind' | 'tenant' | 'cluster' | 'id' | 'value'>

const SLAB_BYTES = 4 * 1024 * 1024
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Allocates rows in shared buffers, which are filled one after the other. */
export class RowSlabs {
  #slab = Buffer.alloc(0)
  #end = 0

  /** undefined: the row is too long for a shared buffer. */
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

  /** @param places offsets of the id, of the row, and of the end of the row */
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
