// Runs one transaction at a time in the engine, with the outcome of a cluster: applies blockhash and nonce rules
// before, and corrects nonce values and fees after. Changes only the engine; the caller records the result.

import { type Accounts, sameAccount, storedAccount, type StoredAccount } from './accounts.ts'
import type { TransactionErrorJson } from './contract.ts'
import { errorJson, isFeeOnly } from './errors.ts'
import { advancedNonce, durableNonce, engineNonce, isSignedBy, readNonce, withNonceValue } from './nonce.ts'
import { recentBlockhashes, RECENT_BLOCKHASHES, slotHashes, SLOT_HASHES } from './sysvars.ts'
import type { Timeline } from './timeline.ts'
import type { Vm, VmAccount, VmResult, VmSimulation } from './vm.ts'
import type { WireMessage, WireTransaction } from './wire.ts'

const SLOTS_PER_EPOCH = 432_000
const SYSTEM_KEY = '\0'.repeat(32)
const GONE: VmAccount = { lamports: 0n, owner: new Uint8Array(32), data: new Uint8Array(0), executable: false }

export interface Change {
  readonly key: string
  readonly before: StoredAccount | null
  readonly after: StoredAccount | null
}

/** The basis of a message's validity: a recent blockhash, or the nonce account that it advances. */
export type Lifetime = { readonly kind: 'blockhash' } | { readonly kind: 'nonce'; readonly key: string }

export interface Execution {
  readonly error: TransactionErrorJson | null
  /** Whether the transaction belongs in a block: it was executed, with or without success, or at least paid its fee. */
  readonly included: boolean
  readonly changes: readonly Change[]
  readonly result: VmResult
}

/** Whether no instruction names the fee payer. */
function onlyPays(message: WireMessage): boolean {
  for (const { accounts } of message.instructions) if (accounts.includes(0)) return false
  return true
}

export class Runtime {
  readonly #vm: Vm
  readonly #accounts: Accounts
  readonly #timeline: Timeline
  /** Sysvars as of the start: only their lamports are read from here, and these do not change. */
  readonly #sysvars = new Map<string, StoredAccount>()
  #slot = -1
  /** Nonce value that the open slot assigns. */
  #blockNonce = ''

  constructor(vm: Vm, accounts: Accounts, timeline: Timeline, sysvars: readonly StoredAccount[]) {
    this.#vm = vm
    this.#accounts = accounts
    this.#timeline = timeline
    for (const account of sysvars) this.#sysvars.set(account.key, account)
  }

  /** Current state of an account, including the engine's own accounts. */
  account(key: string): StoredAccount | null {
    return this.#accounts.get(key) ?? (this.#sysvars.has(key) ? this.#sysvar(key) : null)
  }

  /** Like `account`, but does not update sysvars: for balances. */
  balanceAccount(key: string): StoredAccount | null {
    return this.#accounts.get(key) ?? this.#sysvars.get(key) ?? null
  }

  #sysvar(key: string): StoredAccount | null {
    this.#enterSlot()
    const account = this.#vm.account(Buffer.from(key, 'latin1'))
    return account ? storedAccount(key, account, this.#accounts.headOf(key)) : null
  }

  #enterSlot(): void {
    const timeline = this.#timeline
    const slot = timeline.openSlot
    if (slot === this.#slot) return
    this.#slot = slot
    const epoch = Math.floor(slot / SLOTS_PER_EPOCH)
    const firstSlot = Math.max(epoch * SLOTS_PER_EPOCH, 0)
    const time = timeline.timeOf(slot) ?? 0
    this.#vm.setClock({ slot, epoch, epochStart: timeline.timeOf(firstSlot) ?? time, time })
    const newest = timeline.newestFirst()
    this.#vm.setAccount(SLOT_HASHES, slotHashes(newest))
    this.#vm.setAccount(RECENT_BLOCKHASHES, recentBlockhashes(newest))
    this.#blockNonce = durableNonce(timeline.latest.hash)
  }

  /** The lifetime of a message in the open slot; null: its blockhash is neither recent nor the value of a nonce. */
  lifetime(message: WireMessage): Lifetime | null {
    if (this.#timeline.heightOfBlockhash(message.blockhash) !== null) return { kind: 'blockhash' }
    const key = advancedNonce(message)
    const account = key === null ? null : this.#accounts.get(key)
    const nonce = account ? readNonce(account) : null
    if (key === null || nonce?.value !== message.blockhash || !isSignedBy(message, nonce.authority)) return null
    this.#enterSlot()
    // One advance per block: a nonce value of this block cannot be used in it.
    return nonce.value === this.#blockNonce ? null : { kind: 'nonce', key }
  }

  /**
   * Runs a sane transaction.
   * @param writable keys that it may change, the fee payer first
   */
  execute(
    transaction: WireTransaction,
    lifetime: Lifetime,
    writable: readonly string[],
    feeLamports: bigint,
  ): Execution {
    this.#enterSlot()
    const shown = this.#showNonces(transaction.message, writable)
    const result = this.#vm.execute(transaction.bytes)
    const error = result.error === null ? null : errorJson(result.error)
    if (error === null)
      return { error, included: true, changes: this.#changes(transaction.message, writable, shown), result }
    const changes: Change[] = []
    const included = this.#charged(writable[0]!, error, feeLamports, changes)
    this.#unshow(shown, changes)
    if (included && lifetime.kind === 'nonce') this.#advance(lifetime.key, changes)
    return { error, included, changes, result }
  }

  /** Does not check signatures. */
  simulate(transaction: WireTransaction, writable: readonly string[]): VmSimulation {
    this.#enterSlot()
    const shown = this.#showNonces(transaction.message, writable)
    try {
      return this.#vm.simulate(transaction.bytes)
    } finally {
      this.#unshow(shown, [])
    }
  }

  /** Restores an earlier state of an account. */
  restore(key: string, account: StoredAccount | null): void {
    this.#vm.setAccount(Buffer.from(key, 'latin1'), account ?? GONE)
    this.#slot = -1
  }

  /**
   * Temporarily sets nonce values in the engine with which its own check decides like a cluster's. Returns the values
   * that were replaced.
   */
  #showNonces(message: WireMessage, writable: readonly string[]): Map<string, string> | null {
    let shown: Map<string, string> | null = null
    for (const key of writable) {
      const account = this.#accounts.get(key)
      if (account?.data.length !== 80 || account.ownerKey !== SYSTEM_KEY) continue
      const nonce = readNonce(account)
      if (!nonce) continue
      const value = engineNonce(nonce.value, durableNonce(message.blockhash), this.#blockNonce)
      if (value === null) continue
      this.#vm.setAccount(Buffer.from(key, 'latin1'), { ...account, data: withNonceValue(account.data, value) })
      shown ??= new Map()
      shown.set(key, value)
    }
    return shown
  }

  /** Restores the replaced nonce values. The fee payer may be one of these accounts: it keeps its reduced balance. */
  #unshow(shown: ReadonlyMap<string, string> | null, changes: readonly Change[]): void {
    for (const key of shown?.keys() ?? []) {
      const change = changes.find((other) => other.key === key)
      this.#vm.setAccount(Buffer.from(key, 'latin1'), (change ? change.after : this.#accounts.get(key)) ?? GONE)
    }
  }

  #changes(message: WireMessage, writable: readonly string[], shown: ReadonlyMap<string, string> | null): Change[] {
    const changes: Change[] = []
    for (let i = 0; i < writable.length; i += 1) {
      const key = writable[i]!
      // A header may mark a sysvar as writable; no transaction can write it.
      if (this.#sysvars.has(key)) continue
      const before = this.balanceAccount(key)
      const address = Buffer.from(key, 'latin1')
      if (i === 0 && before && onlyPays(message)) {
        this.#paid(before, address, changes)
        continue
      }
      let found = this.#vm.account(address)
      if (found?.data.length === 80) found = this.#settleNonce(address, before, found, shown?.get(key))
      if (sameAccount(before, found)) continue
      const after = found && storedAccount(key, found, this.#accounts.headOf(key), before)
      // A cluster removes an account without lamports; the engine may keep its data visible to the next transaction.
      if (!after) this.#vm.setAccount(address, GONE)
      changes.push({ key, before, after })
    }
    return changes
  }

  /** Records the payer's new balance; nothing else of the account can have changed. */
  #paid(before: StoredAccount, address: Buffer, changes: Change[]): boolean {
    const lamports = this.#vm.lamports(address)
    if (lamports === before.lamports) return false
    changes.push({ key: before.key, before, after: lamports === 0n ? null : { ...before, lamports } })
    return true
  }

  /**
   * A nonce set in this transaction gets the block's value; one that was only replaced temporarily gets its own value
   * back.
   */
  #settleNonce(address: Buffer, before: StoredAccount | null, found: VmAccount, shown: string | undefined): VmAccount {
    const nonce = readNonce(found)
    if (!nonce) return found
    const stored = before && readNonce(before)
    const value = stored && nonce.value === (shown ?? stored.value) ? stored.value : this.#blockNonce
    if (value === nonce.value) return found
    const settled = { ...found, data: withNonceValue(found.data, value) }
    this.#vm.setAccount(address, settled)
    return settled
  }

  /**
   * Whether the fee of a failed transaction was charged. Charges it here where a cluster does and the engine does not.
   */
  #charged(payer: string, error: TransactionErrorJson, feeLamports: bigint, changes: Change[]): boolean {
    const before = this.balanceAccount(payer)
    const address = Buffer.from(payer, 'latin1')
    if (!before) return false
    if (this.#paid(before, address, changes)) return true
    if (!isFeeOnly(error)) return false
    this.#vm.setAccount(address, { ...before, lamports: before.lamports - feeLamports })
    return this.#paid(before, address, changes)
  }

  #advance(key: string, changes: Change[]): void {
    const index = changes.findIndex((change) => change.key === key)
    const before = this.#accounts.get(key)
    const current = index < 0 ? before : changes[index]!.after
    if (!current) return
    const after = storedAccount(
      key,
      { ...current, data: withNonceValue(current.data, this.#blockNonce) },
      current.head,
      current,
    )
    this.#vm.setAccount(Buffer.from(key, 'latin1'), after)
    if (index >= 0) changes.splice(index, 1)
    changes.push({ key, before, after })
  }

  /** Value of a nonce account after a simulated advance. */
  get blockNonce(): string {
    this.#enterSlot()
    return this.#blockNonce
  }
}
