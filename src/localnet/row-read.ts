// Reads a ledger row. Each part is decoded on first access: most rows are only counted or passed on, and decoding the
// text forms (base58, logs) costs more than executing the transaction.

import { encodeBase58 } from './base58.ts'
import type { InnerInstructionSet, LedgerTransaction, TokenBalance, TransactionErrorJson } from './contract.ts'
import { FLAG_ERROR, FLAG_V0, HEAD_BYTES } from './row-write.ts'
import { parseTransaction, type WireMessage } from './wire.ts'

const base58OfKey = (key: string): string => encodeBase58(Buffer.from(key, 'latin1'))

export class LedgerRow implements LedgerTransaction {
  /** Position in the ledger; later transactions have larger locations. */
  readonly location: number
  readonly row: Buffer
  #signature: string | undefined
  #keys: readonly string[] | undefined
  #accountKeys: readonly string[] | undefined
  #message: WireMessage | undefined
  #tokens: { pre: TokenBalance[]; post: TokenBalance[] } | undefined
  #logs: readonly string[] | undefined
  #inner: readonly InnerInstructionSet[] | undefined

  constructor(row: Buffer, location: number, signature?: string) {
    this.row = row
    this.location = location
    this.#signature = signature
  }

  get signature(): string {
    this.#signature ??= encodeBase58(this.bytes.subarray(1, 65))
    return this.#signature
  }

  get slot(): number {
    return this.row.readUIntLE(8, 6)
  }

  get blockTime(): number {
    return this.row.readUIntLE(14, 6)
  }

  get bytes(): Buffer {
    return this.row.subarray(HEAD_BYTES, HEAD_BYTES + this.row.readUInt16LE(4))
  }

  /** The part of the transaction that signatures cover. */
  get messageBytes(): Buffer {
    const { bytes } = this
    // An executed transaction has too few signatures for a second length byte.
    return bytes.subarray(1 + bytes[0]! * 64)
  }

  get version(): 'legacy' | 0 {
    return (this.row[0]! & FLAG_V0) === 0 ? 'legacy' : 0
  }

  get message(): WireMessage {
    if (!this.#message) {
      const parsed = parseTransaction(this.bytes)
      if ('malformed' in parsed) throw new Error(`ledger row at ${this.location} is damaged: ${parsed.malformed}`)
      this.#message = parsed.message
    }
    return this.#message
  }

  get #loadedCount(): number {
    return this.row[1]! + this.row[2]!
  }

  get #errorAt(): number {
    return HEAD_BYTES + this.row.readUInt16LE(4) + this.#loadedCount * 32
  }

  get #balancesAt(): number {
    return this.#errorAt + this.row.readUInt16LE(6)
  }

  get error(): TransactionErrorJson | null {
    if ((this.row[0]! & FLAG_ERROR) === 0) return null
    const at = this.#errorAt
    return JSON.parse(this.row.toString('utf8', at, at + this.row.readUInt16LE(6))) as TransactionErrorJson
  }

  get feeLamports(): bigint {
    return this.row.readBigUInt64LE(20)
  }

  get computeUnits(): bigint {
    return this.row.readBigUInt64LE(28)
  }

  /** All keys as latin1 strings: static, looked-up writable, looked-up readonly. */
  get keys(): readonly string[] {
    if (!this.#keys) {
      const keys = [...this.message.keys]
      const start = HEAD_BYTES + this.row.readUInt16LE(4)
      for (let i = 0; i < this.#loadedCount; i += 1)
        keys.push(this.row.toString('latin1', start + i * 32, start + i * 32 + 32))
      this.#keys = keys
    }
    return this.#keys
  }

  get accountKeys(): readonly string[] {
    this.#accountKeys ??= this.keys.map(base58OfKey)
    return this.#accountKeys
  }

  get loadedAddresses(): { writable: readonly string[]; readonly: readonly string[] } {
    const keys = this.accountKeys
    const start = keys.length - this.#loadedCount
    const split = start + this.row[1]!
    return { writable: keys.slice(start, split), readonly: keys.slice(split) }
  }

  #balances(offset: number): readonly bigint[] {
    const at = this.#balancesAt + offset
    return this.keys.map((_key, i) => this.row.readBigUInt64LE(at + i * 16))
  }

  get preBalances(): readonly bigint[] {
    return this.#balances(0)
  }

  get postBalances(): readonly bigint[] {
    return this.#balances(8)
  }

  /** Location of the previous transaction that names `key`; 0 for none, null when this transaction does not name it. */
  previousOf(key: string): number | null {
    const index = this.keys.indexOf(key)
    return index < 0 ? null : this.row.readDoubleLE(this.#balancesAt + this.keys.length * 16 + index * 8)
  }

  #readTokens(): { pre: TokenBalance[]; post: TokenBalance[] } {
    if (this.#tokens) return this.#tokens
    const { row } = this
    const pre: TokenBalance[] = []
    const post: TokenBalance[] = []
    let at = row.readUInt32LE(36)
    const count = row.readUInt16LE(at)
    at += 2
    for (let i = 0; i < count; i += 1, at += 116) {
      const flags = row[at + 3]!
      const token = {
        accountIndex: row.readUInt16LE(at),
        decimals: row[at + 2]!,
        mint: encodeBase58(row.subarray(at + 4, at + 36)),
        owner: encodeBase58(row.subarray(at + 36, at + 68)),
        programId: encodeBase58(row.subarray(at + 68, at + 100)),
      }
      if ((flags & 1) !== 0) pre.push({ ...token, amount: row.readBigUInt64LE(at + 100).toString() })
      if ((flags & 2) !== 0) post.push({ ...token, amount: row.readBigUInt64LE(at + 108).toString() })
    }
    this.#tokens = { pre, post }
    return this.#tokens
  }

  get preTokenBalances(): readonly TokenBalance[] {
    return this.#readTokens().pre
  }

  get postTokenBalances(): readonly TokenBalance[] {
    return this.#readTokens().post
  }

  get inner(): readonly InnerInstructionSet[] {
    if (this.#inner) return this.#inner
    const { row } = this
    let at = row.readUInt32LE(40)
    const u16 = (): number => {
      at += 2
      return row.readUInt16LE(at - 2)
    }
    const sets: InnerInstructionSet[] = []
    for (let left = u16(); left > 0; left -= 1) {
      const index = u16()
      const instructions = []
      for (let more = u16(); more > 0; more -= 1) {
        const programIdIndex = u16()
        const stackHeight = u16()
        const accountCount = u16()
        const accounts = [...row.subarray(at, at + accountCount)]
        at += accountCount + 4
        const length = row.readUInt32LE(at - 4)
        instructions.push({ programIdIndex, stackHeight, accounts, data: row.subarray(at, at + length) })
        at += length
      }
      sets.push({ index, instructions })
    }
    this.#inner = sets
    return sets
  }

  get logs(): readonly string[] {
    if (this.#logs) return this.#logs
    const { row } = this
    const logs: string[] = []
    let at = row.readUInt32LE(44)
    let left = row.readUInt16LE(at)
    for (at += 2; left > 0; left -= 1) {
      const length = row.readUInt32LE(at)
      logs.push(row.toString('utf8', at + 4, at + 4 + length))
      at += 4 + length
    }
    this.#logs = logs
    return logs
  }

  get returnData(): { programId: string; data: Uint8Array } | null {
    const at = this.row.readUInt32LE(48)
    if (at >= this.row.length) return null
    const start = at + 1 + this.row[at]!
    return { programId: this.row.toString('latin1', at + 1, start), data: this.row.subarray(start) }
  }
}
