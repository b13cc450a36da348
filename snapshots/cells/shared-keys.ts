// Answers from memory, in every thread of the process, that a cell's directory has no row for a key. The owner of the
// cell adds the keys of a commit before it writes the rows, so that a thread that learns of the commit finds them.
// Without this filter, most lookups in other cells would search all levels of their LevelDB for keys that do not exist
// (see `seen-keys.ts`). The filters are those of `SeenKeys`, in memory that all threads share and that is allocated at
// once. A full last filter still takes keys, but then more lookups read the disk.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Disk } from '../disk.ts'
import * as keys from '../keys.ts'
import { bitOf, BITS_PER_KEY, hashesOf, PROBES, type Hashes } from '../seen-keys.ts'

const FIRST_KEYS = 1 << 16
const FILTERS = 9
const FIRST_WORDS = (FIRST_KEYS * BITS_PER_KEY) / 32

/** Positions in the header. */
const COMPLETE = 0
const LAST = 1
const ADDED = 2
const HEADER_WORDS = 4
const MEMORY_BYTES = Uint32Array.BYTES_PER_ELEMENT * (HEADER_WORDS + FIRST_WORDS * (2 ** FILTERS - 1))

export class SharedKeys {
  readonly memory: SharedArrayBuffer
  readonly #header: Uint32Array
  readonly #filters: readonly Uint32Array[]

  /** @param memory the memory of another thread's filter for the same directory */
  constructor(memory = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory
    this.#header = new Uint32Array(memory, 0, HEADER_WORDS)
    this.#filters = Array.from({ length: FILTERS }, (_, at) => {
      const wordsBefore = HEADER_WORDS + FIRST_WORDS * (2 ** at - 1)
      return new Uint32Array(memory, wordsBefore * Uint32Array.BYTES_PER_ELEMENT, FIRST_WORDS * 2 ** at)
    })
  }

  /** Must be called by the owner of the cell before it writes a row. */
  note(key: string): void {
    if (keys.isNameKey(key)) this.#add(nameIn(key))
    else if (keys.isMostlyNew(key)) this.#add(key)
  }

  /**
   * Loads the keys that were written before the claim. Must run in the thread of the owner, because two threads must
   * not add keys at the same time.
   * @param isClosing checked between pages; true stops the loading
   */
  async learn(disk: Pick<Disk, 'pages'>, isClosing: () => boolean): Promise<void> {
    for (const range of [...keys.MOSTLY_NEW_RANGES, keys.ALL_NAMES])
      for await (const page of disk.pages(range)) {
        for (const [key] of page) this.note(key)
        await nextTurn()
        if (isClosing()) return
      }
    Atomics.store(this.#header, COMPLETE, 1)
  }

  /** False: the row is not in the directory. */
  mayHave(key: string): boolean {
    return !keys.isMostlyNew(key) || this.mayHaveHashed(hashesOf(key))
  }

  /**
   * False: no record in the directory has the name.
   * @param name in the form of the table of names
   */
  mayHaveName(name: string): boolean {
    return this.mayHaveHashed(hashesOf(name))
  }

  /** As `mayHaveName`, for a name that is looked up in several directories. */
  mayHaveHashed([first, step]: Hashes): boolean {
    if (Atomics.load(this.#header, COMPLETE) === 0) return true
    for (let at = Atomics.load(this.#header, LAST); at >= 0; at -= 1)
      if (isIn(this.#filters[at]!, first, step)) return true
    return false
  }

  #add(key: string): void {
    const words = this.#nextFilter()
    const [first, step] = hashesOf(key)
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = bitOf(words, first, step, probe)
      Atomics.or(words, bit >>> 5, 1 << (bit & 31))
    }
  }

  /** Counts one more key and returns the filter that it is added to. */
  #nextFilter(): Uint32Array {
    const last = Atomics.load(this.#header, LAST)
    const added = Atomics.add(this.#header, ADDED, 1)
    if (added < FIRST_KEYS * 2 ** last || last === FILTERS - 1) return this.#filters[last]!
    Atomics.store(this.#header, ADDED, 1)
    Atomics.compareExchange(this.#header, LAST, last, last + 1)
    return this.#filters[last + 1]!
  }
}

/** Cannot be confused with the key of an idempotency record or message, because these contain `!`. */
const nameIn = (key: string): string => keys.nameRowOf(key).name

function isIn(words: Uint32Array, first: number, step: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(words, first, step, probe)
    if ((Atomics.load(words, bit >>> 5) & (1 << (bit & 31))) === 0) return false
  }
  return true
}
