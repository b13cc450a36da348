// What a node remembers of the newest transactions: their status by signature, their messages (so that none runs twice, with
// whatever signature it comes), and the prices they paid. Forgotten by age in slots, or when their slot is forked away.

import type { TransactionErrorJson } from './contract.ts'

/** Slots a status is answered without searching the history. */
const STATUS_SLOTS = 300
/** Slots a message is remembered: over the 151 blocks its blockhash can live after it ran, with slots to spare for forks. */
const MESSAGE_SLOTS = 300
const PRICE_SLOTS = 150

export interface Status {
  readonly slot: number
  readonly error: TransactionErrorJson | null
  readonly location: number
}

interface Paid {
  readonly price: bigint
  readonly writable: readonly string[]
}

interface SlotNotes {
  readonly slot: number
  readonly signatures: string[]
  readonly messages: string[]
  readonly paid: Paid[]
}

export class Recent {
  readonly #statuses = new Map<string, Status>()
  /** Message hash -> signature it ran with. */
  readonly #messages = new Map<string, string>()
  /** Slots with transactions, oldest first. */
  #slots: SlotNotes[] = []

  status(signature: string): Status | null {
    return this.#statuses.get(signature) ?? null
  }

  /** Signature under which a message has run already, or null. */
  ranAs(messageHash: string): string | null {
    return this.#messages.get(messageHash) ?? null
  }

  add(signature: string, messageHash: string, status: Status, price: bigint, writable: readonly string[]): void {
    let notes = this.#slots[this.#slots.length - 1]
    if (notes?.slot !== status.slot) {
      notes = { slot: status.slot, signatures: [], messages: [], paid: [] }
      this.#slots.push(notes)
    }
    this.#statuses.set(signature, status)
    this.#messages.set(messageHash, signature)
    notes.signatures.push(signature)
    notes.messages.push(messageHash)
    notes.paid.push({ price, writable })
  }

  /** Forgets what is too old when `slot` opens. */
  age(slot: number): void {
    let old = this.#slots[0]
    while (old && old.slot < slot - Math.max(STATUS_SLOTS, MESSAGE_SLOTS)) {
      this.#drop(old)
      this.#slots.shift()
      old = this.#slots[0]
    }
  }

  /** Forgets slots that were taken back. Returns their signatures in the order they ran. */
  forget(taken: readonly number[]): readonly string[] {
    const gone = this.#slots.filter((notes) => taken.includes(notes.slot))
    this.#slots = this.#slots.filter((notes) => !taken.includes(notes.slot))
    for (const notes of gone) this.#drop(notes)
    return gone.flatMap((notes) => notes.signatures)
  }

  #drop(notes: SlotNotes): void {
    for (const signature of notes.signatures) this.#statuses.delete(signature)
    for (const message of notes.messages) this.#messages.delete(message)
  }

  /** Least price paid per recent slot by transactions that wrote any of `keys` (by any transaction when there are none). */
  prices(keys: readonly string[], openSlot: number): { slot: number; prioritizationFee: number }[] {
    const wanted = new Set(keys)
    return this.#slots.flatMap((notes) => {
      if (notes.slot < openSlot - PRICE_SLOTS) return []
      const paid = notes.paid.filter((entry) => wanted.size === 0 || entry.writable.some((key) => wanted.has(key)))
      if (paid.length === 0) return []
      const least = paid.reduce((low, entry) => (entry.price < low ? entry.price : low), paid[0]!.price)
      return [{ slot: notes.slot, prioritizationFee: Number(least) }]
    })
  }
}
