// Evicts ended transactions, oldest end first, when there are too many in memory. The countersignatures for an evicted
// transaction and the plan it is a step of leave with it, if they have ended. One write moves the records to the cold
// store and lists their debits, so that debit windows can read them back.
import { NotAtHand, type ColdKey } from '../../../snapshots/not-at-hand.ts'
import type { Engine } from '../engine.ts'
import type { Change } from '../records/change.ts'
import type { Entry } from '../records/entry.ts'
import { countersignedKey, planKey } from '../index/index-keys.ts'
import { carriedItemsKey } from '../index/item-keys.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { hasEnded, ofKind, type RecordState } from '../records/record.ts'
import type { ListedKinds } from './cold-store.ts'
import type { ColdRows } from './cold-rows.ts'

/** Maximum number of transactions per write. */
const MOST_AT_ONCE = 64
/** Maximum number examined per write; some cannot leave yet. */
const MOST_LOOKED_AT = 2 * MOST_AT_ONCE
/** Share of `keep` that a process with many transactions keeps. */
const LEAST_SHARE = 1 / 5

export interface EvictionOptions extends ListedKinds {
  /** Maximum number of ended transactions in memory, and of ended records of the other kinds together. */
  readonly keep: number
  /** Records of failed batches that stay in memory, so that the batches can be retried. */
  readonly keepRetryable?: number | undefined
}

/** The engine's side of an eviction. */
export interface Leaving {
  /** Writes the rows and drops the records from memory. Resolves when both are done. */
  evict(entries: readonly Entry[], rows: ReadonlyMap<string, readonly StoreOp[]>): Promise<void>
}

export class Evictor {
  readonly #engine: Pick<Engine, 'directory' | 'fetch'>
  readonly #rows: ColdRows
  readonly #leaving: Leaving
  readonly #options: Pick<EvictionOptions, 'keep'>
  /** Ended transactions in memory, oldest end first. */
  readonly #ended = new Set<Entry>()
  /** Number of evicted transactions since the start of the process. */
  #evicted = 0
  #underWay: Promise<void> | null = null
  #stopped = false

  constructor(
    engine: Pick<Engine, 'directory' | 'fetch'>,
    rows: ColdRows,
    leaving: Leaving,
    options: Pick<EvictionOptions, 'keep'>,
  ) {
    this.#engine = engine
    this.#rows = rows
    this.#leaving = leaving
    this.#options = options
  }

  /** Starts with the loaded records. */
  begin(): void {
    const loaded: { entry: Entry; endedAt: string }[] = []
    for (const entry of this.#engine.directory.entries('transaction')) {
      if (hasEnded(entry.head)) loaded.push({ entry, endedAt: entry.head.context.finalAt ?? '' })
    }
    loaded.sort((a, b) => (a.endedAt < b.endedAt ? -1 : Number(a.endedAt > b.endedAt)))
    for (const { entry } of loaded) this.#ended.add(entry)
    this.#go()
  }

  take(changes: readonly Change[]): void {
    for (const { entry, next } of changes) if (entry.place === 'memory' && hasEnded(next)) this.#ended.add(entry)
    this.#go()
  }

  /** Resolves when no eviction is in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#underWay
  }

  /**
   * Number of ended transactions to keep. While all of them fit into memory, queries use its indexes. A process that
   * evicts reads most of them from the store anyway, and every full garbage collection traverses those in memory: each
   * two evictions therefore lower the limit by one, until a fifth is left. Under load, each new transaction then evicts
   * two, not all of the excess at once.
   */
  get #limit(): number {
    const { keep } = this.#options
    return Math.max(Math.ceil(keep * LEAST_SHARE), keep - Math.floor(this.#evicted / 2))
  }

  #go(): void {
    if (this.#stopped || this.#underWay !== null || this.#ended.size <= this.#limit) return
    const lacking: ColdKey[] = []
    const entries = this.#next(lacking)
    if (entries.length === 0 && lacking.length === 0) return
    this.#underWay = this.#evict(entries, lacking).then(
      () => this.#done(true),
      // A failed write ends the process. What could not be fetched is wanted again at the next change.
      () => this.#done(false),
    )
  }

  #done(again: boolean): void {
    this.#underWay = null
    if (again) this.#go()
  }

  async #evict(entries: readonly Entry[], lacking: readonly ColdKey[]): Promise<void> {
    if (entries.length > 0) await this.#leaving.evict(entries, this.#rows.of(entries))
    this.#evicted += entries.filter(({ head }) => head.kind === 'transaction').length
    if (lacking.length > 0) await this.#engine.fetch(lacking)
  }

  /**
   * The next records to evict, with their companions. A record that cannot be evicted yet keeps its turn, and `lacking`
   * receives the rows that this needs.
   */
  #next(lacking: ColdKey[]): Entry[] {
    const next = new Set<Entry>()
    let looked = 0
    const tooMany = this.#ended.size - this.#limit
    for (const entry of this.#ended) {
      if (looked === Math.min(MOST_LOOKED_AT, tooMany) || next.size >= MOST_AT_ONCE) break
      looked += 1
      // It keeps its turn: the commit of its newer head starts the next examination.
      if (!isSettled(entry)) continue
      const companions = this.#judged(entry, lacking)
      // Its turn comes once the rows are fetched.
      if (companions === undefined) continue
      this.#ended.delete(entry)
      if (companions === null) {
        // Examined again after all others.
        this.#ended.add(entry)
        continue
      }
      for (const each of [entry, ...companions]) next.add(each)
    }
    return [...next]
  }

  /** undefined: rows are missing. */
  #judged(entry: Entry, lacking: ColdKey[]): Entry[] | null | undefined {
    try {
      return this.#companions(entry)
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      lacking.push(...error.keys)
      return undefined
    }
  }

  /** null: a countersignature or plan still needs the transaction. */
  #companions({ head }: Entry): Entry[] | null {
    const { directory } = this.#engine
    const given = directory.find(countersignedKey(head.id))
    if (!given.every((each) => isSettled(each) && (each.head.value === 'settled' || each.head.value === 'released')))
      return null
    if (directory.find(carriedItemsKey(head.id)).some(({ head: item }) => item.value === 'underWay')) return null
    const plans = directory.find(planKey(head.id))
    if (plans.some(({ head: plan }) => plan.value === 'running')) return null
    return [...given, ...plans.filter((plan) => isSettled(plan) && this.#isOver(plan.head))]
  }

  /** No step of the plan can change any more. */
  #isOver(state: RecordState): boolean {
    const steps = ofKind(state, 'plan')?.context.steps ?? []
    return steps.every(
      ({ transactionId }) => transactionId === null || hasEnded(this.#engine.directory.byId(transactionId)?.head),
    )
  }
}

/** True if the head is on disk and visible to reads. */
export function isSettled({ head, committed, dirty, place }: Entry): boolean {
  return head === committed && !dirty && place === 'memory'
}
