// Follows a tenant of another cell: reads what its owner has committed, again and again, and says how far. The owner of
// a switch answers only when every cell has acknowledged it (`untilHeard`).
import type { Envelope } from '../../snapshots/store.ts'
import type { Clock, Timer } from '../time/clock.ts'

const LOOK_MS = 100
const ASK_MS = 20

export interface FollowingOptions {
  /**
   * The records that changed after a commit, and the last commit that this shows. `after` -1: all records.
   *
   * @param now true: as of no moment before the call
   */
  readonly read: (
    after: number,
    now: boolean,
  ) => Promise<{ readonly head: number; readonly records: readonly Envelope[] }>
  /** Applies what was read; synchronous, so that it holds before anybody hears of it. */
  readonly apply: (records: readonly Envelope[]) => void
  /** Says that everything up to a commit is applied. */
  readonly say: (head: number) => Promise<unknown>
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** The database did not answer: the next look asks again. */
  readonly unseen: (error: unknown) => void
}

export class Following {
  readonly #options: FollowingOptions
  #head = -1
  /** The last commit that is applied here. It is said after that. */
  #applied = -1
  #timer: Timer | null = null
  #looking: Promise<void> | null = null
  #stopped = false

  constructor(options: FollowingOptions) {
    this.#options = options
  }

  /** Reads everything. Must resolve before the cell decides anything. */
  async begin(): Promise<void> {
    await this.#look(true)
    this.#plan()
  }

  /** Resolves when everything that was committed before the call is applied. Does not wait for a look under way. */
  async catchUp(): Promise<void> {
    if (!this.#stopped) await this.#look(true)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(now = false): Promise<void> {
    const { read, apply, say } = this.#options
    const appliedBefore = this.#applied
    const { head, records } = await read(this.#head, now)
    if (head === this.#head || this.#stopped) return
    // Another look has applied as much or more meanwhile: this one must not take that back.
    if (this.#applied !== appliedBefore && head <= this.#applied) return
    apply(records)
    this.#applied = head
    // A commit that changed nothing of the tenant is not waited for by anybody.
    if (records.length > 0 || this.#head < 0) await say(head)
    // Another look, which has applied more meanwhile, acknowledges that.
    if (this.#applied !== head) return
    // After the acknowledgement: if that failed, it is read and sent again. A restored database has an older head.
    this.#head = head < this.#head ? -1 : head
  }

  #plan(): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#looking = this.#look()
        .catch(this.#options.unseen)
        .finally(() => {
          if (!this.#stopped) this.#plan()
        })
    }, LOOK_MS)
  }
}

/** Resolves when no live cell is left that has not applied a change. */
export async function untilHeard(
  unheard: () => Promise<readonly string[]>,
  clock: Pick<Clock, 'setTimeout'>,
): Promise<void> {
  while ((await unheard()).length > 0) await new Promise<void>((resolve) => void clock.setTimeout(resolve, ASK_MS))
}
