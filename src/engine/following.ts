// Follows a tenant of another cell: polls the commits of its owner and acknowledges them. The owner of a switch answers
// its request only when every cell has acknowledged the change (`untilApplied`).
import type { Envelope } from '../../snapshots/store.ts'
import type { Clock, Timer } from '../time/clock.ts'

const POLL_MS = 100
const ASK_MS = 20

export interface FollowingOptions {
  /**
   * The records that changed after a commit, and the last commit that this shows. `after` -1: all records.
   *
   * @param now true: the reading is not older than the call
   */
  readonly read: (
    after: number,
    now: boolean,
  ) => Promise<{ readonly head: number; readonly records: readonly Envelope[] }>
  /** Applies the records. Synchronous, so that they are in force before the acknowledgement. */
  readonly apply: (records: readonly Envelope[]) => void
  /** Acknowledges that everything up to a commit is applied. */
  readonly acknowledge: (head: number) => Promise<unknown>
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** Called when the database did not answer. The next poll repeats the read. */
  readonly onPollFailed: (error: unknown) => void
}

export class CommitFollower {
  readonly #options: FollowingOptions
  #head = -1
  /** The last commit that is applied here. It is acknowledged after that. */
  #applied = -1
  #timer: Timer | null = null
  #runningPoll: Promise<void> | null = null
  #stopped = false

  constructor(options: FollowingOptions) {
    this.#options = options
  }

  /** Reads all records. Must resolve before the cell makes any decision. */
  async begin(): Promise<void> {
    await this.#poll(true)
    this.#plan()
  }

  /** Resolves when everything that was committed before the call is applied. Does not wait for a running poll. */
  async catchUp(): Promise<void> {
    if (!this.#stopped) await this.#poll(true)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer)
    await this.#runningPoll
  }

  async #poll(now = false): Promise<void> {
    const { read, apply, acknowledge: say } = this.#options
    const appliedBefore = this.#applied
    const { head, records } = await read(this.#head, now)
    if (head === this.#head || this.#stopped) return
    // Another poll has applied these or later changes meanwhile, which this one must not overwrite.
    if (this.#applied !== appliedBefore && head <= this.#applied) return
    apply(records)
    this.#applied = head
    // No owner waits for the acknowledgement of a commit without changes of the tenant.
    if (records.length > 0 || this.#head < 0) await say(head)
    // Another poll has applied later changes meanwhile and acknowledges them.
    if (this.#applied !== head) return
    // Set after the acknowledgement: if that fails, the next poll reads and acknowledges again. A restored database has
    // an older head; then all records are read.
    this.#head = head < this.#head ? -1 : head
  }

  #plan(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#runningPoll = this.#poll()
        .catch(this.#options.onPollFailed)
        .finally(() => {
          if (!this.#stopped) this.#plan()
        })
    }, POLL_MS)
  }
}

/** Resolves when every live cell has applied a change. */
export async function untilApplied(
  cellsBehind: () => Promise<readonly string[]>,
  clock: Pick<Clock, 'setTimeout'>,
): Promise<void> {
  while ((await cellsBehind()).length > 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, ASK_MS))
}
