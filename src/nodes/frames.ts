// The format in which nodes send several requests in one body, and several answers in another: frames, each with a
// head, which is JSON, and a body of bytes. A frame begins with the lengths of both, as 32-bit big-endian integers.

const LENGTHS_BYTES = 8
const EMPTY = Buffer.alloc(0)

export function frameOf(head: unknown, body: Uint8Array): Buffer {
  const text = JSON.stringify(head)
  const headBytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + headBytes + body.length)
  frame.writeUInt32BE(headBytes, 0)
  frame.writeUInt32BE(body.length, 4)
  frame.write(text, LENGTHS_BYTES)
  frame.set(body, LENGTHS_BYTES + headBytes)
  return frame
}

/** Reads frames from parts of any length. */
export class FrameReader<Head> {
  readonly #onFrame: (head: Head, body: Buffer) => void
  readonly #maxBytes: number
  #rest: Buffer = EMPTY

  /** @param maxBytes maximum length of a frame */
  constructor(maxBytes: number, onFrame: (head: Head, body: Buffer) => void) {
    this.#maxBytes = maxBytes
    this.#onFrame = onFrame
  }

  /** Throws if a frame is malformed or too long. */
  push(part: Buffer): void {
    const bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part])
    let start = 0
    while (bytes.length - start >= LENGTHS_BYTES) {
      const headStart = start + LENGTHS_BYTES
      const bodyStart = headStart + bytes.readUInt32BE(start)
      const end = bodyStart + bytes.readUInt32BE(start + 4)
      if (end - start > this.#maxBytes) throw new Error(`a frame has more than ${this.#maxBytes} bytes`)
      if (end > bytes.length) break
      const head = JSON.parse(bytes.toString('utf8', headStart, bodyStart)) as Head
      this.#onFrame(head, bytes.subarray(bodyStart, end))
      start = end
    }
    this.#rest = start === bytes.length ? EMPTY : bytes.subarray(start)
  }
}
