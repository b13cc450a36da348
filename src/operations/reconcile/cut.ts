// The balances of records as of one reading of the chain, while transactions of ours are open: what outsiders moved is what the chain shows,
// less what it shows of ours that the books do not count yet, plus what the books count of ours that it does not show.
// Guarantee: exact to the unit, or `null`. Which transactions a reading includes is decided in `chain/inclusion.ts`; here, which transactions
// there are to be asked about. Those are all that were not final when the question went out, and all that have come since: one that was not
// sent when the answer was here is not in it, and one whose record puts it into a later slot is not either. A reading is used for a record
// only if it is younger than the last one that was.
import type { AccountCut } from '../../rpc/account-cut.ts'
import { FormatError } from '../../solana/format-error.ts'
import { inclusion, type Inclusion } from '../../rpc/inclusion.ts'
import { decodeNonce } from '../../solana/system-layout.ts'
import { reserves } from '../../engine/records/consequences.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { watchMoves, type MoveWatch } from '../../engine/records/moves.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { ChainAccount, ClusterAccess, Platform } from '../context/platform.ts'
import { effectOf, openEffects, plus, type Amounts, type OpenEffect } from './open-effects.ts'

/** Addresses of one question. */
const MAX_ADDRESSES = 100

export interface Comparison {
  /** What the books will still count of what the chain shows: the balance of the books is the chain's less this. */
  readonly ahead: Amounts
  /** Everything of ours in the books stands on the chain as it was read. */
  readonly isSettled: boolean
}

interface Asked {
  readonly index: number
  readonly effects: ReadonlyMap<string, OpenEffect>
  readonly moves: MoveWatch
}

/** Readings in the order they began and were used. */
let clock = 0
/** The last reading that a record's balances were compared with. */
const lastUsed = new WeakMap<Entry, { readonly slot: number; readonly at: number }>()

export class Cut {
  readonly #platform: Platform
  readonly #access: ClusterAccess
  readonly #asked = new Map<Entry, Asked>()
  readonly #begun = ++clock
  #nonces: readonly string[] = []
  #read: AccountCut | null = null

  private constructor(platform: Platform, access: ClusterAccess) {
    this.#platform = platform
    this.#access = access
  }

  /**
   * Reads the accounts of records, at most 100, never older than `leastSlot`. The caller ends it. Rejects with RpcError or TransportError.
   *
   * @param maxStatuses asked for at most; records with more open transactions are not decided
   */
  static async read(
    platform: Platform,
    access: ClusterAccess,
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
    const asked = this.#asked.get(entry)
    return asked === undefined ? null : (this.#read?.accounts[asked.index] ?? null)
  }

  /**
   * To be called in the same stretch as what is concluded from it is written. null: not decided. What is decided counts as used: no older
   * reading is compared with the record from then on.
   */
  compare(entry: Entry): Comparison | null {
    const asked = this.#asked.get(entry)
    const { head } = entry
    if (asked === undefined || !isHolding(head) || !this.#isYoungest(entry)) return null
    // What another tenant's transaction has done to the record is on its way to it.
    if (this.#platform.engine.post.isWaitingFor(head.tenant)) return null
    const comparison = this.#compare(head, asked)
    if (comparison !== null) lastUsed.set(entry, { slot: this.slot, at: ++clock })
    return comparison
  }

  end(): void {
    for (const { moves } of this.#asked.values()) moves.end()
    this.#asked.clear()
  }

  async #ask(entries: readonly Entry[], leastSlot: number, maxStatuses: number): Promise<void> {
    const signatures = new Set<string>()
    const nonces = new Set<string>()
    entries.forEach((entry, index) => {
      if (!isHolding(entry.head)) return
      const effects = openEffects(this.#platform.engine, entry.head)
      this.#asked.set(entry, {
        index,
        effects: new Map(effects.map((effect) => [effect.transactionId, effect])),
        moves: watchMoves(entry),
      })
      for (const { nonce } of effects) if (nonce !== null && nonces.size + entries.length < MAX_ADDRESSES) nonces.add(nonce.account)
      const own = effects.flatMap(({ signature }) => signature ?? [])
      if (signatures.size + own.length <= maxStatuses) for (const signature of own) signatures.add(signature)
    })
    this.#nonces = [...nonces]
    const addresses = entries.map(({ head }) => (isHolding(head) ? head.context.address : ''))
    this.#read = await this.#access.cut([...addresses, ...nonces], [...signatures], leastSlot)
  }

  #isYoungest(entry: Entry): boolean {
    const last = lastUsed.get(entry)
    return last === undefined || this.slot > last.slot || this.#begun > last.at
  }

  #compare(record: HoldingState, { effects, moves }: Asked): Comparison | null {
    const { engine } = this.#platform
    let ahead: Amounts = {}
    let isSettled = true
    const take = (effect: OpenEffect | null, found: Inclusion, shown: Amounts): boolean => {
      if (effect === null || found === 'undecided') return false
      if (found === 'excluded' && !isEmpty(effect.booked)) isSettled = false
      ahead = plus(found === 'included' ? plus(ahead, shown) : ahead, effect.booked, -1n)
      return true
    }
    for (const asked of effects.values()) {
      // Of a countersignature that has ended meanwhile it is not known how.
      if (asked.entry.head.kind === 'countersignature' && !isOpen(asked.entry)) return null
      const effect = effectOf(engine, asked.entry, record)
      const { found, failed } = this.#sight(asked)
      if (!take(effect, found, failed ? asked.charged : asked.landed)) return null
    }
    for (const effect of this.#cameSince(record, effects, moves)) {
      if (effect === null || !take(effect, this.#newcomer(effect), {})) return null
    }
    return { ahead, isSettled }
  }

  #sight({ signature, sinceSlot, nonce }: OpenEffect): { readonly found: Inclusion; readonly failed: boolean } {
    const { slot, before, after, afterSlot } = this.#read!
    const nonceUnused = nonce === null ? null : this.#holdsNonce(nonce)
    const shown = signature === null ? undefined : after.get(signature)
    if (shown === undefined) return { found: nonceUnused === true ? 'excluded' : 'undecided', failed: false }
    const earlier = before.get(signature!) ?? null
    const { confirmsOnDisk } = this.#access
    const found = inclusion({ before: earlier, after: shown, afterSlot, slot, sinceSlot, nonceUnused, confirmsOnDisk })
    return { found, failed: shown !== null && shown.error !== null }
  }

  /** null: the account was not read, or is no nonce account. */
  #holdsNonce({ account, value }: NonNullable<OpenEffect['nonce']>): boolean | null {
    const at = this.#nonces.indexOf(account)
    const found = at < 0 ? null : (this.#read!.accounts.at(at - this.#nonces.length) ?? null)
    if (found === null) return null
    try {
      return decodeNonce(found.data, found.owner).value === value
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  }

  /** Transactions that were not asked about, or null for one that cannot be found. */
  *#cameSince(record: HoldingState, asked: ReadonlyMap<string, OpenEffect>, { moved }: MoveWatch): Generator<OpenEffect | null> {
    const { engine } = this.#platform
    const seen = new Set(asked.keys())
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

  #newcomer({ entry, slot }: OpenEffect): Inclusion {
    if (slot !== null) return slot > this.slot ? 'excluded' : 'undecided'
    return this.#cannotHaveLanded(entry) ? 'excluded' : 'undecided'
  }

  /** It is not on disk yet, or nobody but our lane has its bytes and the lane has not sent them. */
  #cannotHaveLanded({ head, committed }: Entry): boolean {
    if (committed === undefined) return true
    const { engine } = this.#platform
    const given = ofKind(head, 'countersignature')
    if (given !== undefined) {
      const transaction = engine.directory.byId(given.context.transactionId)
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
