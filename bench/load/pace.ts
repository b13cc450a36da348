// When requests are due: at once, or at a steady rate that does not wait for answers. Whoever measures from the time a
// request was due does not leave out those that had to wait because others were slow.

export interface Pace {
  /** Calls back when the next request is due, with the time from which its latency counts (`performance.now`). */
  wait(due: (at: number) => void): void
  /** Nobody waits any longer: all that do are called back. */
  end(): void
}

export function paceOf(perSecond: number | undefined): Pace {
  if (perSecond === undefined) return { wait: (due) => due(performance.now()), end: () => undefined }
  const startedAt = performance.now()
  const waiting = new Map<NodeJS.Timeout, () => void>()
  let given = 0
  return {
    wait(due) {
      const dueAt = startedAt + (given * 1_000) / perSecond
      given += 1
      const aheadMs = dueAt - performance.now()
      if (aheadMs <= 0) {
        due(dueAt)
        return
      }
      const go = (): void => {
        waiting.delete(timer)
        // A timer is late by up to a millisecond: that is the generator's, not the server's.
        due(performance.now())
      }
      const timer = setTimeout(go, aheadMs)
      waiting.set(timer, go)
    },
    end() {
      for (const [timer, go] of waiting) {
        clearTimeout(timer)
        go()
      }
    },
  }
}
