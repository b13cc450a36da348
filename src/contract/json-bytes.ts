// An answer of which the JSON is at hand as bytes: to make the objects of many rows, serialize them and encode the text
// takes several times as long as to write the bytes.

const FIRST_BYTES = 65_536
/** UTF-8 takes at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Bytes that say what a model does. */
export type JsonOf<Model> = JsonBytes & {
  /** Never set. */
  readonly model?: Model
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
