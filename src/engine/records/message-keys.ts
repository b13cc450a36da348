// Where a message has its accounts and its blockhash, whatever its bytes are: a row that is kept beside a message need
// not say them again.
import { addressOf } from '../../solana/address.ts'

const ADDRESS_BYTES = 32
/** Set in the first byte of a message that has a version, which the header follows. */
const VERSIONED = 0x80
const HEADER_BYTES = 3
/** The most accounts whose number takes one byte. */
const MOST_ACCOUNTS = 127

export class MessageKeys {
  readonly message: Buffer
  /** Of the first account. */
  readonly #from: number
  readonly #count: number

  /** @param message of any content: it then has no accounts */
  constructor(message: Buffer) {
    this.message = message
    const counted = HEADER_BYTES + (message[0]! & VERSIONED ? 1 : 0)
    const count = message[counted] ?? 0
    this.#from = counted + 1
    const isWhole = count <= MOST_ACCOUNTS && this.#from + (count + 1) * ADDRESS_BYTES <= message.length
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
