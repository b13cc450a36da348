// Whether the open cell of a node is idle: nobody has asked for it for a while, and its engine has nothing to do.
import type { CellRest } from '../nodes/node-rows.ts'
import type { OpenWork } from '../operations/background/open-work.ts'
import type { Clock } from '../time/clock.ts'

export interface IdlenessOptions {
  readonly work: Pick<OpenWork, 'known' | 'changes' | 'find'>
  /** Of what is due. */
  readonly now: () => number
  readonly clock: Pick<Clock, 'elapsed'>
  readonly idleMs: number
  /** How long no request was served. */
  readonly quietMs: () => number
  readonly hasStreams: () => boolean
  readonly failed: (error: unknown) => void
}

export class Idleness {
  readonly #options: IdlenessOptions
  readonly #openedMs: number
  #finding = false
  #found: { readonly changes: number; readonly holds: string | null; readonly dueAt: number | null } | null = null

  constructor(options: IdlenessOptions) {
    this.#options = options
    this.#openedMs = options.clock.elapsed()
  }

  /** Begins to look through the records if that is needed: the next call then answers by what was found. */
  get isIdle(): boolean {
    const { work, clock, idleMs, quietMs, hasStreams, now } = this.#options
    if (Math.min(quietMs(), clock.elapsed() - this.#openedMs) < idleMs || hasStreams()) return false
    if (this.#finding || work.known !== null) return false
    const found = this.#found
    if (found === null || found.holds !== null || found.changes !== work.changes) {
      this.#look()
      return false
    }
    // Closing a cell that is opened again within the time is of no use.
    return found.dueAt === null || found.dueAt - now() > idleMs
  }

  /** Of a cell whose engine has stopped. Null: something is under way after all, or that is not known. */
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

  #look(): void {
    const { work, failed } = this.#options
    const { changes } = work
    this.#finding = true
    work
      .find()
      .then((found) => {
        this.#found = { ...found, changes }
      }, failed)
      .finally(() => {
        this.#finding = false
      })
  }
}
