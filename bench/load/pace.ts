// Decides when requests are due: at once, or at a steady rate that does not depend on answers. Latency is measured from
// the due time, so that it includes the wait behind slow requests (no coordinated omission).

export interface Pace {
  /** Calls back when the next request is due, with the time from which its latency counts (`performance.now`). */
  wait(due: (at: number) => void): void
  /** Ends all waits: every pending callback is called. */
  end(): void
}

export function paceOf(perSecond: number | undefined): Pace {
  if (perSecond === undefined) return { wait: (due) => due(performance.now()), end: () => undefined }
  const startedAt = performance.now()
  const waiting = new Map<NodeJS.Timeout, () => void>()
  let scheduled = 0
  return {
    wait(due) {
      const dueAt = startedAt + (scheduled * 1_000) / perSecond
      scheduled += 1
      const aheadMs = dueAt - performance.now()
      if (aheadMs <= 0) {
        due(dueAt)
        return
      }
      const go = (): void => {
        waiting.delete(timer)
        // A timer is late by up to a millisecond, which must not count as latency of the server.
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
