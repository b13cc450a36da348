// The engine's handle of one record. `head` is the current state of the actor; `committed` is the state on disk, the
// only one reads see. A plain record that was not used since the start is its row, which is parsed when either is read.
import { LiveActor } from './live-actor.ts'
import type { RecordState } from './record.ts'
import { StoredRecord, type RecordOutline } from './stored-record.ts'

export class Entry {
  #head: RecordState | StoredRecord
  #committed: RecordState | undefined
  /** undefined while passivated; `head` is then the snapshot to restore from. */
  actor: LiveActor | undefined
  /**
   * `leaving`: handed to the cold store, and answered from memory until that write is durable. `followed`: of another
   * cell, which alone changes it.
   */
  place: 'memory' | 'leaving' | 'store' | 'followed' = 'memory'
  /** True while observations (sent, processed) are not on disk; the next commit writes them. */
  dirty = false
  /** True after its actor threw repeatedly: the record accepts no event in this process. */
  quarantined = false

  /** @param head a stored record is committed */
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

  /** What is known of the head without parsing it. */
  get outline(): RecordOutline {
    return this.#head
  }

  /** True for a plain record (`plain-rows.ts`) that was not used since the start: it is what its row says. */
  get isStored(): boolean {
    return this.#head instanceof StoredRecord
  }

  /** The head, for one look: the record stays as it is in memory. */
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
