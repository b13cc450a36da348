// Cooperative scheduling of long work: a job is a generator that yields often, and all jobs together get a few
// milliseconds per turn of the event loop, round robin. A scan or an index over a million records therefore blocks no
// request, however many run at once.
import type { Clock } from '../../time/clock.ts'

export type SliceClock = Pick<Clock, 'elapsed' | 'soon'>

/** `waiting`: the job depends on another job; the next job runs at once. */
export type SlicedJob<T> = Generator<'waiting' | undefined, T, void>

/**
 * Budget of all jobs per turn. The rest of the 10 ms that a turn may take covers the work between two yields, and
 * garbage collection.
 */
const TURN_MS = 5
/** Budget of one job while others wait. */
const QUANTUM_MS = 1

interface Task {
  /** Returns true when the job is done. */
  step(): boolean | 'waiting'
}

export class Slices {
  readonly #clock: SliceClock
  readonly #queue: Task[] = []
  #spentMs = 0
  #planned = false

  constructor(clock: SliceClock) {
    this.#clock = clock
  }

  /** Starts at once if the turn has budget left. Rejects with the error that the job throws. */
  run<T>(job: SlicedJob<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        step: () => {
          try {
            const { done, value } = job.next()
            if (done !== true) return value ?? false
            resolve(value)
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
          return true
        },
      })
      if (this.#queue.length === 1) this.#work()
    })
  }

  #work(): void {
    this.#plan()
    const startedAt = this.#clock.elapsed()
    const mayTakeMs = TURN_MS - this.#spentMs
    let nowMs = startedAt
    let idle = 0
    while (this.#queue.length > 0 && nowMs - startedAt < mayTakeMs && idle < this.#queue.length) {
      const until = Math.min(nowMs + QUANTUM_MS, startedAt + mayTakeMs)
      const task = this.#queue[0]!
      let result = task.step()
      while (result === false && (nowMs = this.#clock.elapsed()) < until) result = task.step()
      nowMs = this.#clock.elapsed()
      this.#queue.shift()
      if (result !== true) this.#queue.push(task)
      idle = result === 'waiting' ? idle + 1 : 0
    }
    this.#spentMs += nowMs - startedAt
  }

  /** Schedules one call per turn while jobs exist, and one more to reset the time spent. */
  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    this.#clock.soon(() => {
      this.#planned = false
      this.#spentMs = 0
      if (this.#queue.length > 0) this.#work()
    })
  }
}
