// The engine's handle of one record. `head` is what the actor says now, `committed` what is on disk: reads see the latter only.
import { LiveActor } from './live-actor.ts'
import type { RecordState } from './record.ts'

export class Entry {
  head: RecordState
  /** undefined until the record's first commit is durable. */
  committed: RecordState | undefined
  /** undefined while passive: `head` is then the compact snapshot it wakes from. */
  actor: LiveActor | undefined
  /** `leaving`: handed to the store as an old record, and still answered for from memory until that is durable. */
  place: 'memory' | 'leaving' | 'store' = 'memory'
  /** Observations (sent, processed) that are not on disk yet and ride with the next commit. */
  dirty = false

  constructor(head: RecordState, committed: RecordState | undefined, actor: LiveActor | undefined) {
    this.head = head
    this.committed = committed
    this.actor = actor
  }

  awake(): LiveActor {
    this.actor ??= LiveActor.restore(this.head.kind, this.head.value, this.head.context)
    return this.actor
  }

  /** Forget the actor; it wakes again from `head`. */
  sleep(): void {
    this.actor?.stop()
    this.actor = undefined
  }
}
