// A response whose JSON already exists, as bytes or as text. Building the objects of many rows, serializing them and
// encoding the text takes several times longer than writing the bytes; for one row, several times longer than joining
// the text.

const FIRST_BYTES = 65_536
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Bytes or a text that say what a model does. */
export type JsonOf<Model> = (JsonBytes | JsonText) & {
  /** Never set. */
  readonly model?: Model
}

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Buffers of answers that were sent, for the next ones. To allocate one for each takes as long as to fill it, and the
 * garbage collector, which counts them, then passes over all records every few hundred answers.
 */
const spare: Buffer[] = []
const MAX_SPARE = 8
const MAX_SPARE_BYTES = 1_048_576
const NOTHING = Buffer.alloc(0)

export class JsonBytes {
  #buffer = spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES)
  #end = 0

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#end)
  }

  /** Gives the buffer to another answer: called once nobody reads the bytes any more. They are gone afterwards. */
  release(): void {
    const buffer = this.#buffer
    this.#buffer = NOTHING
    this.#end = 0
    // Released before, or too long to be held for nothing.
    if (buffer === NOTHING || buffer.length > MAX_SPARE_BYTES) return
    if (spare.length < MAX_SPARE) spare.push(buffer)
  }

  add(text: string): void {
    this.#reserve(text.length * BYTES_PER_UNIT)
    this.#end += this.#buffer.write(text, this.#end)
  }

  addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#end)
    this.#end += bytes.length
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#buffer.length) return
    const longer = Buffer.allocUnsafeSlow((this.#end + length) * 2)
    longer.set(this.bytes)
    this.#buffer = longer
  }
}
