// All subscriptions of all connections, indexed by topic, driven by the bank's events. Without subscriptions an event
// costs a few comparisons of sizes. The first change of an account is delivered at once; later changes at most every
// 200 ms, with the latest state, because a node of a cluster sends one notification per slot.

import type {
  Bank,
  BankAccount,
  BankEvent,
  KeyedAccount,
  LedgerTransaction,
  TransactionErrorJson,
} from '../../contract.ts'
import { encodedAccount } from '../encode/account.ts'
import type { AccountForm } from '../encode/account.ts'
import { encodeBase58 } from '../../base58.ts'
import { passesFilters } from '../filters.ts'
import type { Filter } from '../filters.ts'
import { firstSignature } from '../message.ts'
import type { Subscription } from './subscription.ts'

/** The subject of a subscription. */
export type Topic =
  | { readonly kind: 'account'; readonly address: string; readonly form: AccountForm }
  | {
      readonly kind: 'program'
      readonly program: string
      readonly form: AccountForm
      readonly filters: readonly Filter[]
    }
  | { readonly kind: 'signature'; readonly signature: string; readonly receivedToo: boolean }
  | { readonly kind: 'logs'; readonly mentions: string | null }
  | { readonly kind: 'slot' }
  | { readonly kind: 'slotsUpdates' }
  | { readonly kind: 'root' }

interface Entry {
  readonly topic: Topic
  readonly subscription: Subscription
}

/** A change of an account that is delivered after the pause. */
interface Waiting {
  readonly slot: number
  readonly account: BankAccount
}

/** Transactions of a slot are not counted. */
const NO_STATS = {
  maxTransactionsPerEntry: 0,
  numFailedTransactions: 0,
  numSuccessfulTransactions: 0,
  numTransactionEntries: 0,
}
const ALL = ''
const ACCOUNT_PAUSE_MS = 200

const atSlot = (slot: number, value: unknown): unknown => ({ context: { slot }, value })
const outcome = (error: TransactionErrorJson | null): unknown => ({ err: error })

export class SubscriptionHub {
  readonly #bank: Bank
  readonly #byKey = new Map<string, Set<Entry>>()
  readonly #entries = new Map<number, Entry>()
  readonly #stop: () => void
  /** Entries delivered in this pause, with the latest change since. */
  readonly #paused = new Map<Entry, Waiting | null>()
  #pause: NodeJS.Timeout | null = null
  #receivers = 0
  #root: number

  constructor(bank: Bank) {
    this.#bank = bank
    this.#root = bank.slot('finalized')
    this.#stop = bank.on((event) => this.#onEvent(event))
  }

  close(): void {
    this.#stop()
    if (this.#pause !== null) clearTimeout(this.#pause)
  }

  add(topic: Topic, subscription: Subscription): void {
    const entry = { topic, subscription }
    const key = keyOf(topic)
    const watching = this.#byKey.get(key) ?? new Set()
    this.#byKey.set(key, watching.add(entry))
    this.#entries.set(subscription.id, entry)
    if (topic.kind === 'signature') {
      if (topic.receivedToo) this.#receivers += 1
      // A transaction that has already landed is reported too, after the response to the subscription itself.
      queueMicrotask(() => this.#notifyLanded(topic.signature, entry))
    }
  }

  remove(id: number): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined) return false
    const key = keyOf(entry.topic)
    const watching = this.#byKey.get(key)
    this.#paused.delete(entry)
    watching?.delete(entry)
    if (watching?.size === 0) this.#byKey.delete(key)
    if (entry.topic.kind === 'signature' && entry.topic.receivedToo) this.#receivers -= 1
    return this.#entries.delete(id)
  }

  /** A transaction has arrived and is about to be executed. */
  received(bytes: Uint8Array): void {
    if (this.#receivers === 0) return
    const slot = this.#bank.slot('processed')
    for (const { topic, subscription } of this.#watching('signature', firstSignature(bytes) ?? ALL)) {
      if (topic.kind === 'signature' && topic.receivedToo) subscription.deliver(atSlot(slot, 'receivedSignature'))
    }
  }

  // A copy: a delivery may end its subscription.
  #watching(kind: Topic['kind'], key: string): Entry[] {
    const entries = this.#byKey.get(`${kind}:${key}`)
    return entries === undefined ? [] : [...entries]
  }

  #notifyLanded(signature: string, entry: Entry): void {
    if (this.#entries.get(entry.subscription.id) !== entry) return
    const status = this.#bank.signatureStatus(signature, true)
    if (status === null) return
    const result = atSlot(status.slot, outcome(status.error))
    if (status.confirmationStatus === 'finalized') entry.subscription.deliver(result)
    else entry.subscription.offer(status.slot, result, true)
  }

  #onEvent(event: BankEvent): void {
    switch (event.type) {
      case 'slot':
        this.#onSlot(event.slot, event.parent, event.root)
        break
      case 'transaction':
        if (this.#entries.size > 0) this.#onTransaction(event.transaction, event.changed)
        break
      case 'forked':
        for (const { subscription } of this.#entries.values()) subscription.forked(event.slot)
        for (const [entry, waiting] of this.#paused) if (waiting?.slot === event.slot) this.#paused.set(entry, null)
        break
    }
  }

  #onSlot(slot: number, parent: number, root: number): void {
    for (const { subscription } of this.#watching('slot', ALL)) subscription.deliver({ parent, root, slot })
    this.#onSlotUpdate({ slot: parent, type: 'frozen', stats: NO_STATS })
    this.#onSlotUpdate({ slot: parent, type: 'optimisticConfirmation' })
    this.#onSlotUpdate({ slot, parent, type: 'createdBank' })
    if (root === this.#root) return
    this.#root = root
    this.#onSlotUpdate({ slot: root, type: 'root' })
    for (const { subscription } of this.#watching('root', ALL)) subscription.deliver(root)
    for (const { subscription } of [...this.#entries.values()]) subscription.rooted(root)
  }

  #onSlotUpdate(update: Readonly<Record<string, unknown>>): void {
    for (const { subscription } of this.#watching('slotsUpdates', ALL))
      subscription.deliver({ ...update, timestamp: Date.now() })
  }

  #onTransaction(transaction: LedgerTransaction, changed: readonly KeyedAccount[]): void {
    const { slot, signature, error } = transaction
    for (const { subscription } of this.#watching('signature', signature))
      subscription.offer(slot, atSlot(slot, outcome(error)), true)
    this.#onLogs(transaction)
    for (const keyed of changed) this.#onAccount(slot, keyed)
  }

  #notifyAccount(entry: Entry, { slot, account }: Waiting): void {
    const { topic, subscription } = entry
    if (topic.kind !== 'account') return
    subscription.offer(slot, atSlot(slot, encodedAccount(this.#bank, account, topic.form)), true)
    // At `finalized` only the last change of a slot counts, and it waits for its slot anyway.
    if (subscription.commitment === 'finalized') return
    this.#paused.set(entry, null)
    this.#pause ??= setTimeout(() => this.#endPause(), ACCOUNT_PAUSE_MS)
  }

  #endPause(): void {
    this.#pause = null
    const paused = [...this.#paused]
    this.#paused.clear()
    for (const [entry, waiting] of paused) if (waiting !== null) this.#notifyAccount(entry, waiting)
  }

  #onLogs(transaction: LedgerTransaction): void {
    const entries = this.#watching('logs', ALL)
    if (entries.length === 0) return
    const { slot, signature, error, logs, accountKeys } = transaction
    const result = atSlot(slot, { err: error, logs, signature })
    for (const { topic, subscription } of entries) {
      if (topic.kind !== 'logs' || (topic.mentions !== null && !accountKeys.includes(topic.mentions))) continue
      subscription.offer(slot, result, false)
    }
  }

  #onAccount(slot: number, { address, account }: KeyedAccount): void {
    const pubkey = encodeBase58(address)
    for (const entry of this.#watching('account', pubkey)) {
      if (this.#paused.has(entry)) this.#paused.set(entry, { slot, account })
      else this.#notifyAccount(entry, { slot, account })
    }
    for (const { topic, subscription } of this.#watching('program', encodeBase58(account.owner))) {
      if (topic.kind !== 'program' || !passesFilters(topic.filters, account)) continue
      subscription.offer(
        slot,
        atSlot(slot, { account: encodedAccount(this.#bank, account, topic.form), pubkey }),
        false,
      )
    }
  }
}

function keyOf(topic: Topic): string {
  switch (topic.kind) {
    case 'account':
      return `account:${topic.address}`
    case 'program':
      return `program:${topic.program}`
    case 'signature':
      return `signature:${topic.signature}`
    default:
      return `${topic.kind}:${ALL}`
  }
}
