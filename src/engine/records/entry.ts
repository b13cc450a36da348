// The engine's handle of one record. `head` is the current state of the actor. `committed` is the state on disk, the
// only one that reads return. A plain record that was not used since the start is held as its row, which is parsed when
// either is read.
import { LiveActor } from './live-actor.ts'
import type { RecordState } from './record.ts'
import { StoredRecord, type RecordOutline } from './stored-record.ts'

export class Entry {
  #head: RecordState | StoredRecord
  #committed: RecordState | undefined
  /** undefined while passivated; `head` is then the snapshot to restore from. */
  actor: LiveActor | undefined
  /**
   * `leaving`: the record is being written to the cold store; reads use memory until the write is durable. `followed`:
   * a record of another cell, which only that cell changes.
   */
  place: 'memory' | 'leaving' | 'store' | 'followed' = 'memory'
  /** True while observations (sent, processed) are not on disk; the next commit writes them. */
  dirty = false
  /** True after its actor threw repeatedly: the record accepts no event in this process. */
  quarantined = false

  /** @param head a `StoredRecord` counts as committed */
  constructor(head: RecordState | StoredRecord, committed: RecordState | undefined, actor: LiveActor | undefined) {
    this.#head = head
    this.#committed = committed
    this.actor = actor
  }

  get head(): RecordState {
    const head = this.#head
    return head instanceof StoredRecord ? this.#restored(head) : head
  }

  set head(next: RecordState) {
    if (this.#head instanceof StoredRecord) this.#restored(this.#head)
    this.#head = next
  }

  /** undefined until the first commit of the record is durable. */
  get committed(): RecordState | undefined {
    const head = this.#head
    return head instanceof StoredRecord ? this.#restored(head) : this.#committed
  }

  set committed(next: RecordState | undefined) {
    if (this.#head instanceof StoredRecord) this.#restored(this.#head)
    this.#committed = next
  }

  /** The members of the head that are known without parsing its row. */
  get outline(): RecordOutline {
    return this.#head
  }

  /** True for a plain record (`plain-rows.ts`) that was not used since the start: only its row is in memory. */
  get isStored(): boolean {
    return this.#head instanceof StoredRecord
  }

  /** The head, without keeping it: the record stays a row in memory. */
  glimpse(): RecordState {
    const head = this.#head
    return head instanceof StoredRecord ? head.restore() : head
  }

  #restored(stored: StoredRecord): RecordState {
    const state = stored.restore()
    this.#head = state
    this.#committed = state
    return state
  }

  awake(): LiveActor {
    this.actor ??= LiveActor.restore(this.head.kind, this.head.value, this.head.context)
    return this.actor
  }

  /** Passivates the record: drops the actor, which is restored from `head` on next use. */
  sleep(): void {
    this.actor = undefined
  }
}
