// Decides whether an open cell is idle: it has served no request for a while, and its engine has no work.
import type { CellRest } from '../nodes/node-rows.ts'
import type { OpenWork } from '../operations/background/open-work.ts'
import type { Clock } from '../time/clock.ts'

export interface IdlenessOptions {
  readonly work: Pick<OpenWork, 'known' | 'changes' | 'find'>
  /** Clock of the due times of work. */
  readonly now: () => number
  readonly clock: Pick<Clock, 'elapsed'>
  readonly idleMs: number
  /** Time since the last request. */
  readonly quietMs: () => number
  readonly hasStreams: () => boolean
  readonly failed: (error: unknown) => void
}

export class Idleness {
  readonly #options: IdlenessOptions
  readonly #openedMs: number
  #isSearching = false
  #result: { readonly changes: number; readonly holds: string | null; readonly dueAt: number | null } | null = null

  constructor(options: IdlenessOptions) {
    this.#options = options
    this.#openedMs = options.clock.elapsed()
  }

  /** Starts a search for open work if the last result is outdated; a later call uses the new result. */
  get isIdle(): boolean {
    const { work, clock, idleMs, quietMs, hasStreams, now } = this.#options
    if (Math.min(quietMs(), clock.elapsed() - this.#openedMs) < idleMs || hasStreams()) return false
    if (this.#isSearching || work.known !== null) return false
    const result = this.#result
    if (result === null || result.holds !== null || result.changes !== work.changes) {
      this.#search()
      return false
    }
    // It is not worth closing a cell whose next work is due within `idleMs`.
    return result.dueAt === null || result.dueAt - now() > idleMs
  }

  /** The rest of a cell whose engine has stopped. null: the cell has work after all, or the search failed. */
  async rest(): Promise<CellRest | null> {
    const { work, now, failed } = this.#options
    try {
      const { holds, dueAt } = await work.find()
      return holds === null ? { dueInMs: dueAt === null ? null : dueAt - now() } : null
    } catch (error) {
      failed(error)
      return null
    }
  }

  #search(): void {
    const { work, failed } = this.#options
    const { changes } = work
    this.#isSearching = true
    work
      .find()
      .then((openWork) => {
        this.#result = { ...openWork, changes }
      }, failed)
      .finally(() => {
        this.#isSearching = false
      })
  }
}
