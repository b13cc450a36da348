// Long work in short slices: a job is a generator that yields often, and all jobs together get a few milliseconds of each turn of the
// event loop, in rotation. So a scan or an index over a million records holds nobody up, however many are asked for at once.
import type { Clock } from '../../time/clock.ts'

export type SliceClock = Pick<Clock, 'elapsed' | 'soon'>

/** `waiting` yields when it can only go on after another job: the next one is up at once. */
export type Job<T> = Generator<'waiting' | undefined, T, void>

/** For all jobs of a turn. The rest of the 10 ms that a turn may take is for what they do between two yields, and for garbage. */
const TURN_MS = 5
/** For one job, while others wait. */
const QUANTUM_MS = 1

interface Task {
  /** True when it is done. */
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

  /** Begins at once while the turn has time left. Rejects with what the job throws. */
  run<T>(job: Job<T>): Promise<T> {
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

  /** One call per turn while there is anything to do, and one after, to forget what the last turn took. */
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
