// Limits how many statements run at a time. Others wait, in the order in which they came.

interface Waiting {
  readonly enter: () => void
  readonly timer: NodeJS.Timeout
}

export class StatementLimit {
  #free: number
  readonly #waiting = new Set<Waiting>()

  /** @param permits maximum number of statements that have a permit at a time */
  constructor(permits: number) {
    this.#free = permits
  }

  /** Resolves with false if there was no permit within the time. After true, the caller must call `release`. */
  acquire(withinMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        resolve(false)
      }, withinMs)
      const waiting = { enter: () => resolve(true), timer }
      this.#waiting.add(waiting)
    })
  }

  /** Passes the permit to the caller that has waited longest. */
  release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }
}
