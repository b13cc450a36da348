/**
 * Reads one instruction: its accounts by position, its data from front to back. Missing or excess data makes it
 * unreadable, which the table turns into a refusal. Programs are more lenient, but no legitimate client relies on that.
 */
import { addressOf } from '../address.ts'

/** Thrown by a view and caught by `classify`; never leaves this folder. */
export class Unreadable extends Error {}

const WORD = 4_294_967_296
const NONE: readonly string[] = []
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export class InstructionView {
  readonly program: string
  readonly #keys: readonly string[]
  readonly #indexes: Uint8Array
  readonly #data: Uint8Array
  #at = 0

  constructor(program: string, keys: readonly string[], indexes: Uint8Array, data: Uint8Array) {
    this.program = program
    this.#keys = keys
    this.#indexes = indexes
    this.#data = data
  }

  get accountCount(): number {
    return this.#indexes.length
  }

  get remaining(): number {
    return this.#data.length - this.#at
  }

  account(position: number): string {
    const index = this.#indexes[position]
    const key = index === undefined ? undefined : this.#keys[index]
    if (key === undefined) throw new Unreadable('an account is missing')
    return key
  }

  /** Every account from this position on. */
  accountsFrom(position: number): readonly string[] {
    if (this.#indexes.length <= position) return NONE
    return Array.from({ length: this.#indexes.length - position }, (_, index) => this.account(position + index))
  }

  u8(): number {
    const value = this.#data[this.#at]
    if (value === undefined) throw new Unreadable('the data ends too early')
    this.#at++
    return value
  }

  u32(): number {
    const at = this.#advance(4)
    const data = this.#data
    return (data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24)) >>> 0
  }

  u64(): bigint {
    const low = this.u32()
    const high = this.u32()
    // Values below 2^53, nearly all, need only one conversion.
    return high < 0x20_0000 ? BigInt(high * WORD + low) : (BigInt(high) << 32n) | BigInt(low)
  }

  f64(): number {
    const at = this.#advance(8)
    return new DataView(this.#data.buffer, this.#data.byteOffset + at, 8).getFloat64(0, true)
  }

  address(): string {
    return addressOf(this.#data, this.#advance(32))
  }

  /** An address; null for 32 zero bytes. */
  optionalAddress(): string | null {
    const at = this.#advance(32)
    for (let i = at; i < at + 32; i++) if (this.#data[i] !== 0) return addressOf(this.#data, at)
    return null
  }

  /** One byte 0, or one byte 1 and an address. */
  taggedAddress(): string | null {
    const tag = this.u8()
    if (tag > 1) throw new Unreadable('a tag is neither 0 nor 1')
    return tag === 0 ? null : this.address()
  }

  bytes(length: number): Uint8Array {
    const at = this.#advance(length)
    return this.#data.subarray(at, at + length)
  }

  /** UTF-8 of this many bytes. */
  text(length: number): string {
    const bytes = this.bytes(length)
    try {
      return text.decode(bytes)
    } catch {
      throw new Unreadable('a text is not UTF-8')
    }
  }

  /** A text prefixed by its length as u32 (borsh). */
  borshText(): string {
    return this.text(this.u32())
  }

  /** A text prefixed by its length as u64 (bincode). */
  bincodeText(): string {
    const length = this.u64()
    if (length > BigInt(this.remaining)) throw new Unreadable('the data ends too early')
    return this.text(Number(length))
  }

  skipRest(): void {
    this.#at = this.#data.length
  }

  /** The first bytes of the data in hex, without consuming them: names the refused instruction. */
  headHex(length: number): string {
    return Buffer.from(this.#data.subarray(0, length)).toString('hex')
  }

  #advance(length: number): number {
    const at = this.#at
    if (length > this.#data.length - at) throw new Unreadable('the data ends too early')
    this.#at = at + length
    return at
  }
}
