// Waits for a condition, without assuming how long it takes.
import { setTimeout as delay } from 'node:timers/promises'

/** Repeats until the result is not undefined. Rejects after `forMs` with `what`, which may describe the state. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  what: string | (() => string),
  forMs = 240_000,
): Promise<T> {
  const deadline = performance.now() + forMs
  for (;;) {
    const result = await ask()
    if (result !== undefined) return result
    if (performance.now() >= deadline) throw new Error(`never: ${typeof what === 'string' ? what : what()}`)
    await delay(25)
  }
}
