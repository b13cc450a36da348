// The durable state of accounts, which readers see. A transaction that was executed but is not durable yet could be
// lost in a crash, so its effects are not visible.

import { toKeyedAccount, type Accounts, type StoredAccount } from './accounts.ts'
import type { KeyedAccount } from './contract.ts'
import type { Ledger } from './ledger.ts'
import type { Runtime } from './runtime.ts'

export class Views {
  readonly #accounts: Accounts
  readonly #ledger: Ledger
  readonly #runtime: Runtime

  constructor(accounts: Accounts, ledger: Ledger, runtime: Runtime) {
    this.#accounts = accounts
    this.#ledger = ledger
    this.#runtime = runtime
  }

  account(key: string): StoredAccount | null {
    for (const group of this.#ledger.undurable) {
      const before = group.before.get(key)
      if (before !== undefined) return before
    }
    return this.#runtime.account(key)
  }

  all(): Iterable<KeyedAccount> {
    return this.#matching(this.#accounts.keys(), () => true)
  }

  byProgram(program: string): Iterable<KeyedAccount> {
    return this.#matching(this.#accounts.byProgram(program), (account) => account.ownerKey === program)
  }

  byHolder(holder: string): Iterable<KeyedAccount> {
    return this.#matching(this.#accounts.byHolder(holder), (account) => account.holderKey === holder)
  }

  byMint(mint: string): Iterable<KeyedAccount> {
    return this.#matching(this.#accounts.byMint(mint), (account) => account.mintKey === mint)
  }

  *#matching(indexed: Iterable<string>, matches: (account: StoredAccount) => boolean): Iterable<KeyedAccount> {
    const moving = new Map<string, StoredAccount | null>()
    for (const group of this.#ledger.undurable) {
      for (const [key, before] of group.before) if (!moving.has(key)) moving.set(key, before)
    }
    for (const key of indexed) {
      const account = moving.has(key) ? null : this.#accounts.get(key)
      if (account) yield toKeyedAccount(account)
    }
    for (const before of moving.values()) if (before && matches(before)) yield toKeyedAccount(before)
  }
}
