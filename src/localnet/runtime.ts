// One transaction at a time through the engine, with the outcome a cluster would give it: blockhash and nonce rules before,
// nonce values and fees put right after. It changes the engine only; the bank books what comes back.

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

/** What lets a message run: a blockhash of the window, or the nonce account it advances. */
export type Lifetime = { readonly kind: 'blockhash' } | { readonly kind: 'nonce'; readonly key: string }

export interface Execution {
  readonly error: TransactionErrorJson | null
  /** Whether it belongs into a block: it ran, well or badly, or at least paid. */
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
  /** Sysvars as they were at the start: what they are read for here (lamports) does not change. */
  readonly #sysvars = new Map<string, StoredAccount>()
  #slot = -1
  /** Nonce value that the open slot hands out. */
  #blockNonce = ''

  constructor(vm: Vm, accounts: Accounts, timeline: Timeline, sysvars: readonly StoredAccount[]) {
    this.#vm = vm
    this.#accounts = accounts
    this.#timeline = timeline
    for (const account of sysvars) this.#sysvars.set(account.key, account)
  }

  /** An account as it stands now, the engine's own ones included. */
  account(key: string): StoredAccount | null {
    return this.#accounts.get(key) ?? (this.#sysvars.has(key) ? this.#sysvar(key) : null)
  }

  /** Like `account`, without bringing sysvars up to date: for balances. */
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

  /** By what the message may run in the open slot; null when its blockhash is neither in the window nor a nonce's value. */
  lifetime(message: WireMessage): Lifetime | null {
    if (this.#timeline.heightOfBlockhash(message.blockhash) !== null) return { kind: 'blockhash' }
    const key = advancedNonce(message)
    const account = key === null ? null : this.#accounts.get(key)
    const nonce = account ? readNonce(account) : null
    if (key === null || nonce?.value !== message.blockhash || !isSignedBy(message, nonce.authority)) return null
    this.#enterSlot()
    // One advance per block: a value of this block is not usable in it.
    return nonce.value === this.#blockNonce ? null : { kind: 'nonce', key }
  }

  /** Runs a sane transaction. `writable` are the keys it may change, the fee payer first. */
  execute(transaction: WireTransaction, lifetime: Lifetime, writable: readonly string[], feeLamports: bigint): Execution {
    this.#enterSlot()
    const shown = this.#showNonces(transaction.message, writable)
    const result = this.#vm.execute(transaction.bytes)
    const error = result.error === null ? null : errorJson(result.error)
    if (error === null) return { error, included: true, changes: this.#changes(transaction.message, writable, shown), result }
    const changes: Change[] = []
    const included = this.#charged(writable[0]!, error, feeLamports, changes)
    this.#unshow(shown, changes)
    if (included && lifetime.kind === 'nonce') this.#advance(lifetime.key, changes)
    return { error, included, changes, result }
  }

  /** Without a look at signatures. */
  simulate(transaction: WireTransaction, writable: readonly string[]): VmSimulation {
    this.#enterSlot()
    const shown = this.#showNonces(transaction.message, writable)
    try {
      return this.#vm.simulate(transaction.bytes)
    } finally {
      this.#unshow(shown, [])
    }
  }

  /** Puts an account back to an earlier state. */
  restore(key: string, account: StoredAccount | null): void {
    this.#vm.setAccount(Buffer.from(key, 'latin1'), account ?? GONE)
    this.#slot = -1
  }

  /** Lays nonce values before the engine with which its own check answers as a cluster's. Returns those that were laid over. */
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

  /** Puts back nonce values that were laid over. The fee payer may be one of these accounts: it keeps what it paid. */
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
      // A header may call a sysvar writable; no transaction can write it.
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
      // A cluster forgets an account without lamports; the engine may keep its data for the next transaction to find.
      if (!after) this.#vm.setAccount(address, GONE)
      changes.push({ key, before, after })
    }
    return changes
  }

  /** Books the payer's new balance; nothing else of it can have changed. */
  #paid(before: StoredAccount, address: Buffer, changes: Change[]): boolean {
    const lamports = this.#vm.lamports(address)
    if (lamports === before.lamports) return false
    changes.push({ key: before.key, before, after: lamports === 0n ? null : { ...before, lamports } })
    return true
  }

  /** A nonce that was set in this transaction gets the block's value; one that was only laid over gets its own back. */
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

  /** Whether the fee of a failed transaction was taken, which is taken here where the engine does not and a cluster does. */
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
    const after = storedAccount(key, { ...current, data: withNonceValue(current.data, this.#blockNonce) }, current.head, current)
    this.#vm.setAccount(Buffer.from(key, 'latin1'), after)
    if (index >= 0) changes.splice(index, 1)
    changes.push({ key, before, after })
  }

  /** Value a nonce account would hold after a simulated advance. */
  get blockNonce(): string {
    this.#enterSlot()
    return this.#blockNonce
  }
}
