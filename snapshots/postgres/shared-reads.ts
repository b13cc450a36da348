// What the cells of one process read again and again, each for itself: readings of the same that begin at nearly the
// same time are one statement. A reader gets an answer that is up to `SHARED_MS` older than one of its own would be.

/** Well below the time between two looks of one cell. */
const SHARED_MS = 50

interface Reading<Answer> {
  readonly answer: Promise<Answer>
  readonly begunMs: number
}

export class SharedReads<Key, Answer> {
  readonly #read: (key: Key) => Promise<Answer>
  readonly #nowMs: () => number
  /** The last one of each key, in the order of their beginnings. */
  readonly #readings = new Map<Key, Reading<Answer>>()

  constructor(read: (key: Key) => Promise<Answer>, nowMs = () => performance.now()) {
    this.#read = read
    this.#nowMs = nowMs
  }

  read(key: Key): Promise<Answer> {
    const nowMs = this.#nowMs()
    for (const [known, { begunMs }] of this.#readings) {
      if (nowMs - begunMs < SHARED_MS) break
      this.#readings.delete(known)
    }
    const known = this.#readings.get(key)
    if (known !== undefined) return known.answer
    const answer = this.#read(key)
    this.#readings.set(key, { answer, begunMs: nowMs })
    return answer
  }
}
