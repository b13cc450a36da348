// A response whose JSON already exists, as bytes or as text. Building the objects of many rows, serializing them and
// encoding the text takes several times longer than writing the bytes; for one row, several times longer than joining
// the text.

const FIRST_BYTES = 65_536
/** Maximum number of UTF-8 bytes per UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** JSON of a model, as bytes or as text. */
export type JsonOf<Model> = (JsonBytes | JsonText) & {
  /** Never set: it only carries the type of the model. */
  readonly model?: Model
}

export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Buffers of responses that were sent, for reuse. Allocating a buffer takes as long as filling it, and the allocations
 * would trigger a full garbage collection, which traverses all records, every few hundred responses.
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

  /**
   * Returns the buffer for reuse. Must be called only when the bytes are no longer read, because they are overwritten.
   */
  release(): void {
    const buffer = this.#buffer
    this.#buffer = NOTHING
    this.#end = 0
    // Released before, or too large to be kept unused.
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
