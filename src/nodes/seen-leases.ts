// Tells the processes that still run from those that were killed, whose leases remain for a while and may be longer
// than the lease of this process: a process that runs renews its lease.
import type { Clock } from '../time/clock.ts'
import type { LiveNode } from './node-rows.ts'

/** Maximum variation of the time that an answer of the database takes. */
const ANSWER_MS = 500

export class SeenLeases {
  readonly #clock: Pick<Clock, 'elapsed'>
  /** By incarnation: the end of its lease at the first look, on the monotonic clock. */
  readonly #firstEnds = new Map<string, number>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** The processes that have renewed their leases since the first look at them. */
  renewed(nodes: readonly LiveNode[]): LiveNode[] {
    const nowMs = this.#clock.elapsed()
    return nodes.filter(({ incarnation, leftMs }) => {
      const firstEndMs = this.#firstEnds.get(incarnation) ?? nowMs + leftMs
      this.#firstEnds.set(incarnation, firstEndMs)
      return nowMs + leftMs > firstEndMs + ANSWER_MS
    })
  }
}
