// Runs work whose synchronous reads may need rows that the store has to fetch first. The work throws `NotAtHand`, the
// rows are fetched, and the work runs again from its beginning. A store on a disk of this machine has every row at
// hand: the work then runs once, synchronously.
import { NotAtHand, type ColdKey } from './not-at-hand.ts'

export interface RowSource {
  /**
   * Makes rows, or the knowledge that they do not exist, available to synchronous reads; records of other cells for
   * `keptMs`.
   */
  fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void>
  /** Milliseconds of a clock that never goes back, by which work takes its time. Absent: that of the machine. */
  elapsed?(): number
}

/** Repetitions at most. A repetition lacks rows that the one before could not name. */
const MOST_ROUNDS = 200

/** How old the records of other cells are at most when work begins to read them. */
export const FRESH_MS = 50

/**
 * The rows that one piece of work has lacked so far. All of them are fetched again before each repetition, because the
 * store keeps a row until the next commit only.
 */
export class MissingRows {
  readonly #source: RowSource
  readonly #keys = new Map<string, ColdKey>()
  readonly #beganMs: number
  #rounds = 0

  constructor(source: RowSource) {
    this.#source = source
    this.#beganMs = elapsed(source)
  }

  async fetch({ keys }: NotAtHand): Promise<void> {
    this.#rounds += 1
    if (this.#rounds > MOST_ROUNDS) throw new Error(`rows are missing after ${String(MOST_ROUNDS)} repetitions`)
    for (const key of keys) this.#keys.set(Object.values(key).join('\u0000'), key)
    // Work that waits between its reads takes as long again: what it has read must still be there at its end.
    const keptMs = FRESH_MS + 2 * (elapsed(this.#source) - this.#beganMs)
    await this.#source.fetch([...this.#keys.values()], keptMs)
  }
}

function elapsed(source: RowSource): number {
  return source.elapsed?.() ?? performance.now()
}

/** Resolves with what `work` returns once it lacks no row. An attempt that lacks one must not have changed anything. */
export async function atHand<T>(source: RowSource, work: () => T | Promise<T>): Promise<T> {
  let lacking: MissingRows | undefined
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      lacking ??= new MissingRows(source)
      await lacking.fetch(error)
    }
  }
}

/** As `atHand`; returns at once what the first attempt returns. */
export function atHandNow<T>(source: RowSource, work: () => T): T | Promise<T> {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error
    return atHand(source, work)
  }
}

/**
 * As `atHand`, for callers that cannot wait: runs `work` in this turn if it lacks no row. Throws what the first attempt
 * throws; `failed` receives what a later one throws.
 */
export function whenAtHand(source: RowSource, work: () => void, failed: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof NotAtHand)) throw error
    const lacking = new MissingRows(source)
    lacking
      .fetch(error)
      .then(() => repeated(lacking, work))
      .catch(failed)
  }
}

async function repeated(lacking: MissingRows, work: () => void): Promise<void> {
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      await lacking.fetch(error)
    }
  }
}

/** Runs `work` on each of `items` and collects everything that they lack, so that it is fetched in one go. */
export function onEach<Item, T>(items: readonly Item[], work: (item: Item) => T): T[] {
  const results: T[] = []
  let lacking: ColdKey[] | undefined
  for (const item of items) {
    try {
      results.push(work(item))
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      lacking = [...(lacking ?? []), ...error.keys]
    }
  }
  if (lacking !== undefined) throw new NotAtHand(lacking)
  return results
}
