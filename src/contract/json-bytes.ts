// An answer of which the JSON is at hand, as bytes or as a text: to make the objects of many rows, serialize them and
// encode the text takes several times as long as to write the bytes; of one row, as to join the text.

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

export class JsonBytes {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #end = 0

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#end)
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
