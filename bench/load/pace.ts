// When requests are due: at once, or at a steady rate that does not wait for answers. Measuring from the time a request
// was due includes requests that had to wait for slow ones.

export interface Pace {
  /** Calls back when the next request is due, with the time from which its latency counts (`performance.now`). */
  wait(due: (at: number) => void): void
  /** Calls back all waiting callers. */
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
        // A timer is late by up to a millisecond: that delay belongs to the generator, not to the server.
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
