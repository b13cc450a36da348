// All accounts of the chain in memory, with indexes by program, token holder and mint. The engine holds the accounts
// too, but reading one costs a native call and a copy, and finding an owner's accounts requires a full scan.

import type { BankAccount, KeyedAccount } from './contract.ts'
import { isTokenAccount } from './tokens.ts'

/** An account; immutable except for `head`. Keys are latin1 strings of 32 bytes. */
export interface StoredAccount extends BankAccount {
  readonly key: string
  readonly ownerKey: string
  /** Mint and holder if it is a token account. */
  readonly mintKey: string | null
  readonly holderKey: string | null
  /** Location of the newest transaction that names the account. */
  head: number
}

const owners = new Map<string, Uint8Array>()

/** Shares one array per program instead of one per account. */
function ownerBytes(ownerKey: string): Uint8Array {
  let bytes = owners.get(ownerKey)
  if (!bytes) {
    bytes = Buffer.from(ownerKey, 'latin1')
    owners.set(ownerKey, bytes)
  }
  return bytes
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** @param before Earlier state of the account: its strings are reused if owner, mint and holder are the same. */
export function storedAccount(
  key: string,
  account: BankAccount,
  head: number,
  before?: StoredAccount | null,
): StoredAccount {
  const { lamports, data, executable } = account
  const ownerKey =
    before && sameBytes(before.owner, account.owner) ? before.ownerKey : asBuffer(account.owner).toString('latin1')
  let mintKey: string | null = null
  let holderKey: string | null = null
  if (isTokenAccount(ownerKey, data)) {
    if (before?.mintKey && sameFirst64(before.data, data)) {
      ;({ mintKey, holderKey } = before)
    } else {
      const view = asBuffer(data)
      mintKey = view.toString('latin1', 0, 32)
      holderKey = view.toString('latin1', 32, 64)
    }
  }
  return { key, lamports, owner: ownerBytes(ownerKey), ownerKey, data, executable, mintKey, holderKey, head }
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && Buffer.compare(left, right) === 0
}

function sameFirst64(left: Uint8Array, right: Uint8Array): boolean {
  return asBuffer(left).compare(right, 0, 64, 0, 64) === 0
}

export function sameAccount(left: StoredAccount | null, right: BankAccount | null): boolean {
  if (!left || !right) return !left && !right
  if (left.lamports !== right.lamports || left.executable !== right.executable) return false
  return sameBytes(left.data, right.data) && sameBytes(left.owner, right.owner)
}

/** Sets of account keys under a key. */
class KeyIndex {
  readonly #sets = new Map<string, Set<string>>()

  add(under: string, key: string): void {
    const set = this.#sets.get(under)
    if (set) set.add(key)
    else this.#sets.set(under, new Set([key]))
  }

  remove(under: string, key: string): void {
    const set = this.#sets.get(under)
    if (set?.delete(key) && set.size === 0) this.#sets.delete(under)
  }

  get(under: string): Iterable<string> {
    return this.#sets.get(under) ?? []
  }
}

export class Accounts {
  readonly #accounts = new Map<string, StoredAccount>()
  readonly #byProgram = new KeyIndex()
  readonly #byHolder = new KeyIndex()
  readonly #byMint = new KeyIndex()
  /** Newest transaction of addresses that have no account, or whose account is not stored here. */
  readonly #heads = new Map<string, number>()

  get size(): number {
    return this.#accounts.size
  }

  get(key: string): StoredAccount | null {
    return this.#accounts.get(key) ?? null
  }

  headOf(key: string): number {
    return this.#accounts.get(key)?.head ?? this.#heads.get(key) ?? 0
  }

  setHead(key: string, head: number): void {
    const account = this.#accounts.get(key)
    if (account) account.head = head
    else this.#heads.set(key, head)
  }

  /** Replaces an account; null removes it (its head is kept). */
  set(key: string, account: StoredAccount | null): void {
    const before = this.#accounts.get(key)
    if (account) {
      this.#accounts.set(key, account)
      if (!before) this.#heads.delete(key)
    } else if (before) {
      this.#accounts.delete(key)
      this.#heads.set(key, before.head)
    }
    if (before?.ownerKey !== account?.ownerKey) {
      if (before) this.#byProgram.remove(before.ownerKey, key)
      if (account) this.#byProgram.add(account.ownerKey, key)
    }
    this.#reindex(this.#byHolder, before?.holderKey ?? null, account?.holderKey ?? null, key)
    this.#reindex(this.#byMint, before?.mintKey ?? null, account?.mintKey ?? null, key)
  }

  #reindex(index: KeyIndex, before: string | null, after: string | null, key: string): void {
    if (before === after) return
    if (before !== null) index.remove(before, key)
    if (after !== null) index.add(after, key)
  }

  keys(): Iterable<string> {
    return this.#accounts.keys()
  }

  byProgram(key: string): Iterable<string> {
    return this.#byProgram.get(key)
  }

  byHolder(key: string): Iterable<string> {
    return this.#byHolder.get(key)
  }

  byMint(key: string): Iterable<string> {
    return this.#byMint.get(key)
  }
}

export function toKeyedAccount(account: StoredAccount): KeyedAccount {
  return { address: Buffer.from(account.key, 'latin1'), account }
}
