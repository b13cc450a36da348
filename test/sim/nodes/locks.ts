// The lock on the row of the cell: commits share it, one that changes the row has it alone. One that shares it may pass
// one that waits to have it alone, as in PostgreSQL.

interface Waiting {
  readonly isShared: boolean
  readonly granted: () => void
}

export class RowLock {
  #sharing = 0
  #isExclusive = false
  #waiting: Waiting[] = []

  share(granted: () => void): void {
    this.#ask({ isShared: true, granted })
  }

  take(granted: () => void): void {
    this.#ask({ isShared: false, granted })
  }

  release(): void {
    if (this.#isExclusive) this.#isExclusive = false
    else this.#sharing -= 1
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#grant(next)
  }

  #ask(waiter: Waiting): void {
    if (this.#isFree(waiter)) this.#grant(waiter)
    else this.#waiting.push(waiter)
  }

  #next(): Waiting | undefined {
    const at = this.#waiting.findIndex((each) => this.#isFree(each))
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]
  }

  #isFree({ isShared }: Waiting): boolean {
    return !this.#isExclusive && (isShared || this.#sharing === 0)
  }

  #grant({ isShared, granted }: Waiting): void {
    if (isShared) this.#sharing += 1
    else this.#isExclusive = true
    granted()
  }
}
