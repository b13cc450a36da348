// The node's memory of recent transactions: their status by signature, their messages (so that none runs twice, with
// any signature), and the prices they paid. Entries are dropped by age in slots, or when their slot is removed.

import type { TransactionErrorJson } from './contract.ts'

/** Slots for which a status is returned without searching the history. */
export const STATUS_SLOTS = 300
/**
 * Blocks for which a message is remembered: the 151 for which its blockhash can be valid after it ran, and as many
 * again for forks that remove blocks.
 */
export const MESSAGE_BLOCKS = 302
const PRICE_SLOTS = 150

export interface Status {
  readonly slot: number
  readonly error: TransactionErrorJson | null
  readonly location: number
}

export interface Paid {
  readonly price: bigint
  readonly writable: readonly string[]
}

interface SlotNotes {
  readonly slot: number
  readonly height: number
  readonly signatures: string[]
  readonly messages: string[]
  paid: Paid[]
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

  /** Signature under which a message has already run, or null. */
  ranAs(messageHash: string): string | null {
    return this.#messages.get(messageHash) ?? null
  }

  /**
   * @param height Height of the slot's block. `paid` has the keys that the transaction may have written, and the price.
   */
  add(
    signature: string,
    messageHash: string,
    status: Status,
    { height, paid }: { readonly height: number; readonly paid: Paid | null },
  ): void {
    let notes = this.#slots[this.#slots.length - 1]
    if (notes?.slot !== status.slot) {
      notes = { slot: status.slot, height, signatures: [], messages: [], paid: [] }
      this.#slots.push(notes)
    }
    this.#statuses.set(signature, status)
    this.#messages.set(messageHash, signature)
    notes.signatures.push(signature)
    notes.messages.push(messageHash)
    if (paid) notes.paid.push(paid)
  }

  /** Drops entries that are too old when `slot` opens for the block of this height. */
  age(slot: number, height: number): void {
    for (const notes of this.#slots) {
      if (notes.slot >= slot - PRICE_SLOTS) break
      notes.paid = []
    }
    let old = this.#slots[0]
    while (old && old.slot < slot - STATUS_SLOTS && old.height < height - MESSAGE_BLOCKS) {
      this.#drop(old)
      this.#slots.shift()
      old = this.#slots[0]
    }
  }

  /** Drops removed slots. Returns their signatures in execution order. */
  forget(taken: readonly number[]): readonly string[] {
    const removed = this.#slots.filter((notes) => taken.includes(notes.slot))
    this.#slots = this.#slots.filter((notes) => !taken.includes(notes.slot))
    for (const notes of removed) this.#drop(notes)
    return removed.flatMap((notes) => notes.signatures)
  }

  #drop(notes: SlotNotes): void {
    for (const signature of notes.signatures) this.#statuses.delete(signature)
    for (const message of notes.messages) this.#messages.delete(message)
  }

  /**
   * Lowest price per recent slot paid by transactions that wrote to any of `keys` (by any transaction if `keys` is
   * empty).
   */
  prices(keys: readonly string[], openSlot: number): { slot: number; prioritizationFee: number }[] {
    const keySet = new Set(keys)
    return this.#slots.flatMap((notes) => {
      if (notes.slot < openSlot - PRICE_SLOTS) return []
      const paid = notes.paid.filter((entry) => keySet.size === 0 || entry.writable.some((key) => keySet.has(key)))
      if (paid.length === 0) return []
      const least = paid.reduce((low, entry) => (entry.price < low ? entry.price : low), paid[0]!.price)
      return [{ slot: notes.slot, prioritizationFee: Number(least) }]
    })
  }
}
