// The format in which nodes send several requests in one body, and several answers in another: frames, each with a
// head, which is JSON, and a body of bytes. A frame begins with the lengths of both, as 32-bit big-endian integers.

const LENGTHS_BYTES = 8

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
  /** What was received of the next frame. */
  #parts: Buffer[] = []
  #length = 0
  /** Length of the next frame, or of its lengths as long as they are missing. */
  #needed = LENGTHS_BYTES

  /** @param maxBytes maximum length of a frame */
  constructor(maxBytes: number, onFrame: (head: Head, body: Buffer) => void) {
    this.#maxBytes = maxBytes
    this.#onFrame = onFrame
  }

  /** Throws if a frame is malformed or too long. */
  push(part: Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
    // The parts of a long frame are copied once, not with every further part.
    if (this.#length < this.#needed) return
    const rest = this.#read(this.#parts.length === 1 ? part : Buffer.concat(this.#parts, this.#length))
    this.#parts = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
  }

  /** Returns what follows the last complete frame. */
  #read(bytes: Buffer): Buffer {
    let start = 0
    for (;;) {
      this.#needed = LENGTHS_BYTES
      if (bytes.length - start < LENGTHS_BYTES) break
      const headStart = start + LENGTHS_BYTES
      const bodyStart = headStart + bytes.readUInt32BE(start)
      const end = bodyStart + bytes.readUInt32BE(start + 4)
      this.#needed = end - start
      if (this.#needed > this.#maxBytes) throw new Error(`a frame has more than ${this.#maxBytes} bytes`)
      if (end > bytes.length) break
      const head = JSON.parse(bytes.toString('utf8', headStart, bodyStart)) as Head
      this.#onFrame(head, bytes.subarray(bodyStart, end))
      start = end
    }
    return bytes.subarray(start)
  }
}
