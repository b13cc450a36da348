// The work of one execution, counted over all its jobs and bounded, and its turns on the event loop: the requests of
// other tenants run between two tasks. A unit is at most about 70 ns of an ordinary core.
import { Pacer } from '../time/pacer.ts'
import type { Clock } from '../time/clock.ts'
import { TaskFailed } from './current.ts'

/** 8 answers of the largest size, read as JSON and each searched at the largest cost; or 420 of the largest powers. */
const MAX_WORK = 80_000_000

/** Units for each digit of an exact power. */
export const POWER_DIGIT = 5
/** Units for each character of JSON that is parsed. */
export const JSON_CHARACTER = 2
/** Units for each value that is sorted with others. */
export const SORTED_VALUE = 100
/** Units for each value that a filter tests. */
export const FILTERED_VALUE = 40

export class WorkBudget {
  readonly #pacer: Pacer
  #left = MAX_WORK
  #turn: Promise<void> = Promise.resolve()

  constructor(clock: Pick<Clock, 'elapsed' | 'soon'>) {
    this.#pacer = new Pacer(clock)
  }

  /** Throws TaskFailed from the limit on. */
  charge(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw new TaskFailed('the jobs need too much computation')
  }

  /**
   * Charges the units, and resolves when it is this caller's turn: the caller then does the work at once. Turns are
   * taken one after the other, so that jobs that waited at the same time do not run in the same turn of the event loop.
   */
  spend(units: number): Promise<void> {
    this.charge(units)
    this.#turn = this.#turn.then(() => (this.#pacer.isDue ? this.#pacer.rest() : undefined))
    return this.#turn
  }
}
