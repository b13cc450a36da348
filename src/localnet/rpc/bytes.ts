// Little-endian reading of account data, and text forms of bytes. Reading past the end throws a RangeError, which the
// parsers turn into "not parsable", never into a wrong value.

import { encodeBase58 } from '../base58.ts'

function viewOfBytes(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** Strict base64; null when the text is not canonical base64 (Buffer alone ignores unknown characters). */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Reads fields one after another. */
export class ByteReader {
  readonly bytes: Uint8Array
  offset: number
  readonly #view: DataView

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes
    this.offset = offset
    this.#view = viewOfBytes(bytes)
  }

  #advance(length: number): number {
    const at = this.offset
    if (at + length > this.bytes.length) throw new RangeError('past the end of the data')
    this.offset = at + length
    return at
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  bool(): boolean {
    return this.u8() !== 0
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true)
  }

  i16(): number {
    return this.#view.getInt16(this.#advance(2), true)
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true)
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true)
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true)
  }

  f64(): number {
    return this.#view.getFloat64(this.#advance(8), true)
  }

  take(length: number): Uint8Array {
    const at = this.#advance(length)
    return this.bytes.subarray(at, at + length)
  }

  address(): string {
    return encodeBase58(this.take(32))
  }

  /** An address; null for 32 zero bytes. */
  optionalAddress(): string | null {
    const bytes = this.take(32)
    return bytes.every((byte) => byte === 0) ? null : encodeBase58(bytes)
  }

  /** Length-prefixed (u32) UTF-8 text. */
  text(): string {
    return Buffer.from(this.take(this.u32())).toString('utf8')
  }
}
