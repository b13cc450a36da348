// The engine's handle of one record. `head` is the current state of the actor; `committed` is the state on disk, the
// only one reads see.
import { LiveActor } from './live-actor.ts'
import type { RecordState } from './record.ts'

export class Entry {
  head: RecordState
  /** undefined until the first commit of the record is durable. */
  committed: RecordState | undefined
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

  constructor(head: RecordState, committed: RecordState | undefined, actor: LiveActor | undefined) {
    this.head = head
    this.committed = committed
    this.actor = actor
  }

  awake(): LiveActor {
    this.actor ??= LiveActor.restore(this.head.kind, this.head.value, this.head.context)
    return this.actor
  }

  /** Passivates the record: drops the actor, which is restored from `head` on next use. */
  sleep(): void {
    this.actor?.stop()
    this.actor = undefined
  }
}
