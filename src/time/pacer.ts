// Long work on the event loop, done in turns: others run in between.
import type { Clock } from './clock.ts'

const TURN_MS = 5

export class Pacer {
  readonly #clock: Pick<Clock, 'elapsed' | 'soon'>
  #sinceMs: number

  constructor(clock: Pick<Clock, 'elapsed' | 'soon'>) {
    this.#clock = clock
    this.#sinceMs = clock.elapsed()
  }

  /** True if the turn has used its time: the caller should await `rest`, which lets other work run. */
  get isDue(): boolean {
    return this.#clock.elapsed() - this.#sinceMs >= TURN_MS
  }

  /** Does work that yields where others may run. */
  async through(work: Iterable<undefined>): Promise<void> {
    for (const _ of work) if (this.isDue) await this.rest()
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => this.#clock.soon(resolve))
    this.#sinceMs = this.#clock.elapsed()
  }
}
