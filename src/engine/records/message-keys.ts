// Locates the accounts and the blockhash in the bytes of a message, so that a row stored with the message need not
// repeat them. Accepts any bytes.
import { addressOf } from '../../solana/address.ts'

const ADDRESS_BYTES = 32
/** Flag in the first byte of a versioned message; the header follows that byte. */
const VERSIONED = 0x80
const HEADER_BYTES = 3
/** Largest number of accounts that is encoded in one byte. */
const MAX_ACCOUNTS = 127

export class MessageKeys {
  readonly message: Buffer
  /** Offset of the first account. */
  readonly #from: number
  readonly #count: number

  /** @param message any bytes; an invalid message has no accounts */
  constructor(message: Buffer) {
    this.message = message
    const countOffset = HEADER_BYTES + (message[0]! & VERSIONED ? 1 : 0)
    const count = message[countOffset] ?? 0
    this.#from = countOffset + 1
    const isWhole = count <= MAX_ACCOUNTS && this.#from + (count + 1) * ADDRESS_BYTES <= message.length
    this.#count = isWhole ? count : 0
  }

  /** @param message base64 */
  isOf(message: string): boolean {
    return this.message.toString('base64') === message
  }

  addressAt(account: number): string | undefined {
    return account < this.#count ? addressOf(this.message, this.#from + account * ADDRESS_BYTES) : undefined
  }

  get blockhash(): string | undefined {
    return this.#count === 0 ? undefined : addressOf(this.message, this.#from + this.#count * ADDRESS_BYTES)
  }
}
