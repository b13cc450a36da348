/** Reads account data by position. Reading past the end throws a FormatError; missing bytes never become zeros. */
import { addressOf } from './address.ts'
import { FormatError } from './format-error.ts'

const text = new TextDecoder('utf-8', { ignoreBOM: true })

export class AccountBytes {
  readonly length: number
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.length = bytes.length
  }

  u8(at: number): number {
    return this.#view.getUint8(this.#within(at, 1))
  }

  u16(at: number): number {
    return this.#view.getUint16(this.#within(at, 2), true)
  }

  u32(at: number): number {
    return this.#view.getUint32(this.#within(at, 4), true)
  }

  u64(at: number): bigint {
    return this.#view.getBigUint64(this.#within(at, 8), true)
  }

  i64(at: number): bigint {
    return this.#view.getBigInt64(this.#within(at, 8), true)
  }

  f64(at: number): number {
    return this.#view.getFloat64(this.#within(at, 8), true)
  }

  flag(at: number): boolean {
    return this.u8(at) === 1
  }

  address(at: number): string {
    return addressOf(this.#bytes, this.#within(at, 32))
  }

  /** Null for 32 zero bytes. */
  optionalAddress(at: number): string | null {
    const start = this.#within(at, 32)
    for (let i = start; i < start + 32; i++) if (this.#bytes[i] !== 0) return addressOf(this.#bytes, start)
    return null
  }

  /** A u32 tag that tells whether the address after it is set (`COption` as accounts store it). */
  taggedAddress(at: number): string | null {
    return this.u32(at) === 1 ? this.address(at + 4) : null
  }

  part(at: number, length: number): AccountBytes {
    const start = this.#within(at, length)
    return new AccountBytes(this.#bytes.subarray(start, start + length))
  }

  /** A view of these bytes, not a copy. */
  bytes(at: number, length: number): Uint8Array {
    const start = this.#within(at, length)
    return this.#bytes.subarray(start, start + length)
  }

  text(at: number, length: number): string {
    const start = this.#within(at, length)
    return text.decode(this.#bytes.subarray(start, start + length))
  }

  #within(at: number, length: number): number {
    if (at + length > this.length) throw new FormatError('LAYOUT_MALFORMED', 'the account data ends too early')
    return at
  }
}
