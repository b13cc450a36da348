// Combines equal reads of several cells of one process that begin within `SHARED_MS`: they share one statement. An
// answer may therefore be up to `SHARED_MS` older than that of a separate read.

/** Well below the polling interval of one cell. */
const SHARED_MS = 50

interface Reading<Answer> {
  readonly answer: Promise<Answer>
  readonly begunMs: number
}

export class SharedReads<Key, Answer> {
  readonly #read: (key: Key) => Promise<Answer>
  readonly #nowMs: () => number
  /** The latest read of each key, in the order in which the reads began. */
  readonly #readings = new Map<Key, Reading<Answer>>()

  constructor(read: (key: Key) => Promise<Answer>, nowMs = () => performance.now()) {
    this.#read = read
    this.#nowMs = nowMs
  }

  read(key: Key): Promise<Answer> {
    const nowMs = this.#nowMs()
    for (const [oldest, { begunMs }] of this.#readings) {
      if (nowMs - begunMs < SHARED_MS) break
      this.#readings.delete(oldest)
    }
    const recent = this.#readings.get(key)
    if (recent !== undefined) return recent.answer
    const answer = this.#read(key)
    this.#readings.set(key, { answer, begunMs: nowMs })
    return answer
  }
}
