// Requests that wait for a transaction or a plan to reach a state. Only committed or observed states wake them.
import type { Clock } from '../time/clock.ts'
import type { RecordState } from './records/record.ts'

interface Waiter {
  readonly reached: (state: RecordState) => boolean
  readonly wake: () => void
}

export class Waiters {
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  #ended = false

  constructor(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.#clock = clock
  }

  /** True at the end: `wait` resolves at once, so a loop around it must stop. */
  get hasEnded(): boolean {
    return this.#ended
  }

  /** Resolves when a state satisfies `reached`, after `waitMs`, or at the end. Never rejects. */
  async wait(id: string, reached: (state: RecordState) => boolean, waitMs: number): Promise<void> {
    if (this.#ended) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#clock.clearTimeout(timer)
        waiters.delete(waiter)
        if (waiters.size === 0 && this.#waiting.get(id) === waiters) this.#waiting.delete(id)
        resolve()
      }
      const waiter: Waiter = { reached, wake }
      const timer = this.#clock.setTimeout(wake, waitMs)
      const waiters = this.#waiting.get(id) ?? new Set<Waiter>()
      this.#waiting.set(id, waiters)
      waiters.add(waiter)
    })
  }

  changed(state: RecordState): void {
    const waiters = this.#waiting.get(state.id)
    if (waiters === undefined) return
    for (const waiter of [...waiters]) if (waiter.reached(state)) waiter.wake()
  }

  /** Ends all waits: every request is answered with the current state of its record. */
  end(): void {
    this.#ended = true
    for (const waiters of [...this.#waiting.values()]) for (const { wake } of [...waiters]) wake()
  }
}
