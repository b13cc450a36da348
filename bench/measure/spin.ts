// A loop in this process: repeats a step for a given time. For sides that need no server.

export interface Spun {
  readonly done: number
  readonly seconds: number
}

/** Steps between two reads of the clock. */
const STRIDE = 64

/** @param step gets the number of the step, which continues over all rounds */
export function spin(from: number, windowMs: number, step: (n: number) => void): Spun {
  const startedAt = performance.now()
  let n = from
  do {
    for (const end = n + STRIDE; n < end; n += 1) step(n)
  } while (performance.now() - startedAt < windowMs)
  return { done: n - from, seconds: (performance.now() - startedAt) / 1000 }
}

export const spunPerSecond = ({ done, seconds }: Spun): number => done / seconds
