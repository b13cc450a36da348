// Runs work whose synchronous reads may need rows that the store must fetch first. If a row is not available, the read
// throws `NotAtHand`, the store fetches the rows, and the work runs again from its beginning. On LevelDB every row is
// available, so the work runs once, synchronously.
import { NotAtHand, type ColdKey } from './not-at-hand.ts'

export interface RowSource {
  /**
   * Makes rows available to synchronous reads, or records that they do not exist. Records of other cells stay available
   * for `keptMs`.
   */
  fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void>
  /** Milliseconds of a monotonic clock, which measures how long work takes. Absent: `performance.now`. */
  elapsed?(): number
}

/** Maximum number of repetitions. A repetition may need rows that the previous attempt did not get to read. */
const MAX_ROUNDS = 200

/** Maximum age of records of other cells when work begins to read them. */
export const FRESH_MS = 50

/**
 * The rows that earlier attempts of one piece of work needed. All of them are fetched again before each repetition,
 * because the store guarantees a row only until the next commit.
 */
export class MissingRows {
  readonly #source: RowSource
  readonly #keys = new Map<string, ColdKey>()
  #rounds = 0
  /** When the last fetch began, or the last attempt after another wait. */
  #roundBeganMs: number
  #longestRoundMs = 0

  constructor(source: RowSource) {
    this.#source = source
    this.#roundBeganMs = elapsed(source)
  }

  /** Must be called before an attempt that follows another wait than `fetch`. */
  resume(): void {
    this.#roundBeganMs = elapsed(this.#source)
  }

  async fetch({ keys }: NotAtHand): Promise<void> {
    this.#rounds += 1
    if (this.#rounds > MAX_ROUNDS) throw new Error(`rows are missing after ${String(MAX_ROUNDS)} repetitions`)
    for (const key of keys) this.#keys.set(Object.values(key).join('\u0000'), key)
    const nowMs = elapsed(this.#source)
    this.#longestRoundMs = Math.max(this.#longestRoundMs, nowMs - this.#roundBeganMs)
    this.#roundBeganMs = nowMs
    // The next fetch and attempt may take as long as earlier ones, and rows that it read must still be available at its
    // end. Other waits do not count: until these rows expire, other work sees them too, although they may have changed.
    await this.#source.fetch([...this.#keys.values()], FRESH_MS + 2 * this.#longestRoundMs)
  }
}

function elapsed(source: RowSource): number {
  return source.elapsed?.() ?? performance.now()
}

/** Resolves with the result of `work`. An attempt that throws `NotAtHand` must not have changed anything. */
export async function atHand<T>(source: RowSource, work: () => T | Promise<T>): Promise<T> {
  let missing: MissingRows | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      missing ??= new MissingRows(source)
      await missing.fetch(error)
    }
  }
}

/** As `atHand`, but synchronous if the first attempt succeeds. */
export function atHandNow<T>(source: RowSource, work: () => T): T | Promise<T> {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error
    return atHand(source, work)
  }
}

/**
 * As `atHand`, for callers that cannot wait: `work` runs in this turn if all rows are available. Never throws, because
 * nobody above a timer could receive it: `onError` receives the error of every attempt, the first included.
 */
export function whenAtHand(source: RowSource, work: () => void, onError: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof NotAtHand)) {
      onError(error)
      return
    }
    const missing = new MissingRows(source)
    missing
      .fetch(error)
      .then(() => repeat(missing, work))
      .catch(onError)
  }
}

async function repeat(missing: MissingRows, work: () => void): Promise<void> {
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      await missing.fetch(error)
    }
  }
}

/** Runs `work` on each item and collects all missing rows, so that one fetch gets them. */
export function onEach<Item, T>(items: readonly Item[], work: (item: Item) => T): T[] {
  const results: T[] = []
  let missing: ColdKey[] | undefined
  for (const item of items) {
    try {
      results.push(work(item))
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      missing = [...(missing ?? []), ...error.keys]
    }
  }
  if (missing !== undefined) throw new NotAtHand(missing)
  return results
}
