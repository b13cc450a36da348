// A side of the bench of machines over its rounds. A round counts only if the books equal those after this number of
// events.
import { isDeepStrictEqual } from 'node:util'
import { spin, type Spun } from '../measure/spin.ts'
import { expectedBooks } from './script.ts'
import type { Side } from './sides.ts'

export class Measured {
  readonly #side: Side
  #done = 0

  constructor(side: Side) {
    this.#side = side
  }

  /** Throws if it did not do its transitions. */
  round(windowMs: number): Spun {
    const spun = spin(this.#done, windowMs, (n) => this.#side.step(n))
    this.#done += spun.done
    if (!isDeepStrictEqual(this.#side.books(), expectedBooks(this.#done))) {
      throw new Error(`the books are not what ${this.#done} events make them: the transitions were not made`)
    }
    return spun
  }
}
