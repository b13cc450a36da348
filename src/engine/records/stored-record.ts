// A record of which only the row is in memory, as it was at the start: most records are not used for a long time, and
// to parse them takes most of a start. The row is parsed when the record is first used.
import type { Kind } from '../../../machines/kinds.ts'
import { readRecord } from '../../../snapshots/rows.ts'
import { fromEnvelope } from './codec.ts'
import type { RecordState } from './record.ts'

/** What many records have in common. */
export interface RecordGroup {
  readonly kind: Kind
  readonly tenant: string
  readonly cluster: string
  readonly value: string
  /** What the keys of their rows begin with; the id follows. */
  readonly prefix: string
}

/** What is known of a record without its row. */
export type RecordOutline = Pick<RecordState, 'kind' | 'tenant' | 'cluster' | 'id' | 'value'>

export class StoredRecord implements RecordOutline {
  readonly #group: RecordGroup
  readonly #key: string
  readonly #text: string

  /** @param key of the row; the id in it must not be escaped */
  constructor(group: RecordGroup, key: string, text: string) {
    this.#group = group
    this.#key = key
    this.#text = text
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

  get id(): string {
    return this.#key.slice(this.#group.prefix.length)
  }

  hasId(id: string): boolean {
    return this.#key.length === this.#group.prefix.length + id.length && this.#key.endsWith(id)
  }

  /** Parses the row. Throws `CorruptRow`. */
  restore(): RecordState {
    const { kind, tenant, cluster, value } = this.#group
    const { version, revision, context } = readRecord(tenant, this.#key, this.#text)
    return fromEnvelope({ kind, version, revision, tenant, cluster, id: this.id, value, context }, noPayload)
  }
}

function noPayload(): never {
  throw new TypeError('transactions are parsed at the start')
}
