// Compares balances at one reading of the chain while transactions of this service are open. The expected balance is
// the balance on chain, minus effects of own transactions that the reading includes and the record does not count yet,
// plus effects that the record counts and the reading does not include. Guarantee: exact to the unit, or `null`.
//
// `inclusion.ts` decides which transactions a reading includes. This file decides which transactions to ask about: all
// that were not final when the query was sent, and all that were created since. A transaction that was not sent when
// the answer arrived is not included, and neither is one whose record states a later slot. A reading is used for a
// record only if its slot is later than that of the last reading used, or if it began after that use.
//
// Anybody can hold any number of transactions under durable nonces that name an account. The nonce accounts that do not
// fit into the query are read after it, in a slot that is not earlier: a nonce that is unused then was unused before.
import type { AccountCut } from '../../rpc/account-cut.ts'
import { FormatError } from '../../solana/format-error.ts'
import { inclusion, type Inclusion } from '../../rpc/inclusion.ts'
import { decodeNonce } from '../../solana/system-layout.ts'
import { reserves } from '../../engine/records/consequences.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { watchMoves, type MoveWatch } from '../../engine/records/moves.ts'
import { noteReading } from '../../engine/records/readings.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { ChainAccount, PlatformCluster, Platform } from '../context/platform.ts'
import { effectOf, openEffects, addAmounts, type Amounts, type OpenEffect } from './open-effects.ts'

/** Addresses of one query. */
const MAX_ADDRESSES = 100
/** Nonce accounts that are read for one cut; records with more of them may not be decided. */
const MAX_NONCES = 4_096

export interface Comparison {
  /** Effects that the chain shows and the record does not count yet: the record's balance is the chain's minus this. */
  readonly ahead: Amounts
  /** True if the reading includes every effect that the record counts. */
  readonly isSettled: boolean
}

interface Query {
  readonly index: number
  readonly effects: ReadonlyMap<string, OpenEffect>
  readonly moves: MoveWatch
}

/** Orders the starts and the uses of readings. */
let clock = 0
/** The last reading used for the record. */
const lastUsed = new WeakMap<Entry, { readonly startedAt: number; readonly slot: number; readonly at: number }>()

export class Cut {
  readonly #platform: Platform
  readonly #access: PlatformCluster
  readonly #queries = new Map<Entry, Query>()
  readonly #startedAt = ++clock
  /** Nonce accounts as read with the records, or later. */
  readonly #nonces = new Map<string, ChainAccount | null>()
  #read: AccountCut | null = null

  private constructor(platform: Platform, access: PlatformCluster) {
    this.#platform = platform
    this.#access = access
  }

  /**
   * Reads the accounts of at most 100 records, never older than `leastSlot`. The caller must call `end`. Rejects with
   * RpcError or TransportError.
   *
   * @param maxStatuses maximum of statuses to read; records with more open transactions are not decided
   */
  static async read(
    platform: Platform,
    access: PlatformCluster,
    entries: readonly Entry[],
    { leastSlot, maxStatuses }: { readonly leastSlot: number; readonly maxStatuses: number },
  ): Promise<Cut> {
    const cut = new Cut(platform, access)
    try {
      await cut.#ask(entries, leastSlot, maxStatuses)
    } catch (error) {
      cut.end()
      throw error
    }
    return cut
  }

  get slot(): number {
    return this.#read?.slot ?? 0
  }

  account(entry: Entry): ChainAccount | null {
    const query = this.#queries.get(entry)
    return query === undefined ? null : (this.#read?.accounts[query.index] ?? null)
  }

  /**
   * Must be called in the same synchronous turn as the write that uses the result. null: not decided. A decision marks
   * the reading as used: no older reading is compared with the record afterwards.
   */
  compare(entry: Entry): Comparison | null {
    const query = this.#queries.get(entry)
    const { head } = entry
    if (query === undefined || !isHolding(head) || !this.isYoungest(entry)) return null
    // A tenant message may still report the effect of another tenant's transaction on the record.
    if (this.#platform.engine.outbox.isWaitingFor(head.tenant)) return null
    const comparison = this.#compare(head, query)
    if (comparison !== null) {
      this.use(entry)
      // The block of this slot is still open on the embedded chain.
      noteReading(entry, this.#access.confirmsOnDisk ? this.slot - 1 : this.slot)
    }
    return comparison
  }

  /** False if a younger reading has been used for the record, so that this one may be outdated. */
  isYoungest(entry: Entry): boolean {
    const last = lastUsed.get(entry)
    return (
      last === undefined || this.slot > last.slot || this.#startedAt > last.at || this.#startedAt === last.startedAt
    )
  }

  /** Marks the reading as used: no older reading is used for the record afterwards. */
  use(entry: Entry): void {
    lastUsed.set(entry, { startedAt: this.#startedAt, slot: this.slot, at: ++clock })
  }

  end(): void {
    for (const { moves } of this.#queries.values()) moves.end()
    this.#queries.clear()
  }

  async #ask(entries: readonly Entry[], leastSlot: number, maxStatuses: number): Promise<void> {
    const signatures = new Set<string>()
    const nonces = new Set<string>()
    entries.forEach((entry, index) => {
      if (!isHolding(entry.head)) return
      const effects = openEffects(this.#platform.engine, entry.head)
      this.#queries.set(entry, {
        index,
        effects: new Map(effects.map((effect) => [effect.transactionId, effect])),
        moves: watchMoves(entry),
      })
      for (const { nonce } of effects) if (nonce !== null && nonces.size < MAX_NONCES) nonces.add(nonce.account)
      const own = effects.flatMap(({ signature }) => signature ?? [])
      if (signatures.size + own.length <= maxStatuses) for (const signature of own) signatures.add(signature)
    })
    const addresses = entries.map(({ head }) => (isHolding(head) ? head.context.address : ''))
    const [all, room] = [[...nonces], MAX_ADDRESSES - entries.length]
    const first = all.slice(0, room)
    const read = await this.#access.cut([...addresses, ...first], [...signatures], leastSlot)
    this.#read = read
    this.#keepNonces(first, read.accounts.slice(entries.length))
    for (let at = room; at < all.length; at += MAX_ADDRESSES) {
      const further = all.slice(at, at + MAX_ADDRESSES)
      this.#keepNonces(further, (await this.#access.accountsAsOf(further, read.slot)).accounts)
    }
  }

  #keepNonces(addresses: readonly string[], accounts: readonly (ChainAccount | null)[]): void {
    addresses.forEach((address, index) => this.#nonces.set(address, accounts[index] ?? null))
  }

  #compare(record: HoldingState, { index, effects, moves }: Query): Comparison | null {
    const { engine } = this.#platform
    let ahead: Amounts = {}
    let isSettled = true
    const take = (effect: OpenEffect | null, found: Inclusion, shown: Amounts): boolean => {
      if (effect === null || found === 'undecided') return false
      if (found === 'excluded' && !isEmpty(effect.booked)) isSettled = false
      ahead = addAmounts(found === 'included' ? addAmounts(ahead, shown) : ahead, effect.booked, -1n)
      return true
    }
    for (const queried of effects.values()) {
      // The outcome of a countersignature that has ended since the query is unknown.
      if (queried.entry.head.kind === 'countersignature' && !isOpen(queried.entry)) return null
      const effect = effectOf(engine, queried.entry, record)
      // The query was for a signature with which it did not land.
      if (effect !== null && effect.signature !== queried.signature) return null
      const { found, failed } = this.#inclusionOf(queried)
      // The account outlives the record: its balances now belong to another record of the same address.
      if (queried.closes && found === 'included' && !failed && this.#read?.accounts[index] != null) return null
      if (!take(effect, found, failed ? queried.charged : queried.landed)) return null
    }
    for (const effect of this.#cameSince(record, effects, moves)) {
      if (effect === null || !take(effect, this.#inclusionOfNew(effect), {})) return null
    }
    return { ahead, isSettled }
  }

  #inclusionOf({ signature, sinceSlot, nonce }: OpenEffect): { readonly found: Inclusion; readonly failed: boolean } {
    const { slot, before, after, afterSlot } = this.#read!
    const nonceUnused = nonce === null ? null : this.#holdsNonce(nonce)
    const shown = signature === null ? undefined : after.get(signature)
    if (shown === undefined) return { found: nonceUnused === true ? 'excluded' : 'undecided', failed: false }
    const earlier = before.get(signature!) ?? null
    const { confirmsOnDisk } = this.#access
    const found = inclusion({ before: earlier, after: shown, afterSlot, slot, sinceSlot, nonceUnused, confirmsOnDisk })
    return { found, failed: shown !== null && shown.error !== null }
  }

  /** null: the account was not read, or is not a nonce account. */
  #holdsNonce({ account, value }: NonNullable<OpenEffect['nonce']>): boolean | null {
    const read = this.#nonces.get(account) ?? null
    if (read === null) return null
    try {
      return decodeNonce(read.data, read.owner).value === value
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  }

  /** Transactions that the query did not include, or null for one that cannot be found. */
  *#cameSince(
    record: HoldingState,
    queried: ReadonlyMap<string, OpenEffect>,
    { moved }: MoveWatch,
  ): Generator<OpenEffect | null> {
    const { engine } = this.#platform
    const seen = new Set(queried.keys())
    for (const effect of openEffects(engine, record)) {
      if (seen.has(effect.transactionId)) continue
      seen.add(effect.transactionId)
      yield effect
    }
    for (const id of moved) {
      if (seen.has(id)) continue
      const entry = engine.directory.byId(id)
      yield entry === undefined ? null : effectOf(engine, entry, record)
    }
  }

  #inclusionOfNew({ entry, slot }: OpenEffect): Inclusion {
    if (slot !== null) return slot > this.slot ? 'excluded' : 'undecided'
    return this.#cannotHaveLanded(entry) ? 'excluded' : 'undecided'
  }

  /** True if the transaction is not on disk yet, or if only the submission lane has its bytes and has not sent them. */
  #cannotHaveLanded({ head, committed }: Entry): boolean {
    if (committed === undefined) return true
    const { engine } = this.#platform
    const countersignature = ofKind(head, 'countersignature')
    if (countersignature !== undefined) {
      const transaction = engine.directory.byId(countersignature.context.transactionId)
      return transaction !== undefined && this.#cannotHaveLanded(transaction)
    }
    const transaction = ofKind(head, 'transaction')
    const durable = ofKind(committed, 'transaction')
    if (transaction === undefined || durable === undefined) return false
    if (!reserves(durable)) return true
    const sends = Math.max(transaction.context.attempts, this.#access.state(head.id)?.attempts ?? 0)
    if (transaction.value !== 'signed' || sends > 0) return false
    const { held, exposed } = engine.payload(head)
    return held !== true && exposed !== true
  }
}

function isOpen({ head }: Entry): boolean {
  return head.value === 'given' || head.value === 'landed'
}

function isEmpty(amounts: Amounts): boolean {
  return Object.values(amounts).every((amount) => amount === 0n)
}
