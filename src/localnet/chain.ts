// The parts of a running chain, and the functions that several of them share.

import { Accounts } from './accounts.ts'
import { Book } from './book.ts'
import { resolveLookups, type LoadedKeys, NO_LOADED_KEYS } from './lookups.ts'
import type { BankEvent } from './contract.ts'
import type { History } from './history.ts'
import type { Ledger } from './ledger.ts'
import type { OpenedChain } from './open.ts'
import type { Recent } from './recent.ts'
import { Runtime } from './runtime.ts'
import type { Surroundings } from './surroundings.ts'
import { Timeline } from './timeline.ts'
import { UndoLog } from './undo.ts'
import { Views } from './views.ts'
import type { Vm } from './vm.ts'
import { isWritable, type WireMessage } from './wire.ts'

export interface ChainOptions {
  readonly slotMs: number
  readonly finalitySlots: number
  readonly around: Surroundings
  /** Keeps the data that removing slots needs. */
  readonly faults: boolean
  /** Ends the process: memory and disk may differ. */
  readonly fatal: (error: unknown) => void
}

export class Chain {
  readonly vm: Vm
  readonly ledger: Ledger
  readonly accounts: Accounts
  readonly timeline: Timeline
  readonly runtime: Runtime
  readonly recent: Recent
  readonly history: History
  readonly book: Book
  readonly views: Views
  readonly undo: UndoLog | null
  readonly fail: (error: unknown) => void
  readonly #listeners = new Set<(event: BankEvent) => void>()

  constructor(opened: OpenedChain, options: ChainOptions) {
    const { vm, ledger, accounts, segments, openSlot } = opened
    this.vm = vm
    this.ledger = ledger
    this.accounts = accounts
    this.recent = opened.recent
    this.history = opened.history
    this.timeline = new Timeline({
      segments,
      openSlot,
      chainSeed: Buffer.from(opened.genesis.seed, 'hex').toString('latin1'),
      slotMs: options.slotMs,
      finalitySlots: options.finalitySlots,
      now: options.around.now,
      elapsed: options.around.elapsed,
      store: (segment, durable) => {
        ledger.group.segment(segment)
        ledger.group.whenDurable(durable)
      },
    })
    this.runtime = new Runtime(vm, accounts, this.timeline, opened.sysvars)
    this.book = new Book(ledger, accounts, this.runtime, {
      lastChunk: opened.lastChunk,
      total: opened.transactionCount,
    })
    this.views = new Views(accounts, ledger, this.runtime)
    this.undo = options.faults ? new UndoLog() : null
    this.fail = options.fatal
  }

  /** Opens the slots that are due. */
  poll(): void {
    this.timeline.poll(() => this.opened())
  }

  opened(): void {
    const { openSlot, parentSlot, rootSlot } = this.timeline
    this.recent.age(openSlot, this.timeline.openHeight)
    this.undo?.settle(rootSlot)
    this.emit({ type: 'slot', slot: openSlot, parent: parentSlot, root: rootSlot })
  }

  listen(listener: (event: BankEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  emit(event: BankEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        // An error in a listener must not affect the others; it is rethrown on its own.
        setImmediate(() => {
          throw error
        })
      }
    }
  }

  /** Addresses that a message looks up in tables, or the name of the error. */
  loadedKeys(message: WireMessage): LoadedKeys | string {
    if (message.lookups.length === 0) return NO_LOADED_KEYS
    return resolveLookups(message.lookups, {
      slot: this.timeline.openSlot,
      account: (key) => this.accounts.get(key),
      hasSlotHash: (slot) => this.timeline.hasSlotHash(slot),
    })
  }
}

/** Keys a transaction may change, the fee payer first. */
export function writableKeys(message: WireMessage, loaded: LoadedKeys): string[] {
  const keys = message.keys.filter((_key, index) => isWritable(message, index))
  return loaded.writable.length === 0 ? keys : [...keys, ...loaded.writable]
}
