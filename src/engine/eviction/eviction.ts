// Evicts ended transactions, oldest end first, when there are too many in memory. The countersignatures for an evicted
// transaction, and the plan that has it as a step, are evicted with it if they have ended. One write moves the records
// to the cold store and lists their debits, so that debit windows can read them back.
import { NotAtHand, type ColdKey } from '../../../snapshots/not-at-hand.ts'
import type { Engine } from '../engine.ts'
import type { Change } from '../records/change.ts'
import type { Entry } from '../records/entry.ts'
import { countersignedKey, planKey, carriedItemsKey } from '../index/index-keys.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { hasEnded, ofKind, type RecordState } from '../records/record.ts'
import type { ListedKinds } from './cold-store.ts'
import type { ColdRows } from './cold-rows.ts'

/** Maximum number of transactions per write. */
const MAX_AT_ONCE = 64
/** Maximum number examined per write, because some cannot be evicted yet. */
const MAX_EXAMINED = 2 * MAX_AT_ONCE
/** Share of `keep` that a process with many transactions keeps. */
const MIN_SHARE = 1 / 5

export interface EvictionOptions extends ListedKinds {
  /** Maximum number of ended transactions in memory, and of ended records of the other kinds together. */
  readonly keep: number
  /** Records of failed batches that stay in memory, so that the batches can be retried. */
  readonly keepRetryable?: number | undefined
}

/** The engine's side of an eviction. */
export interface EvictionPorts {
  /** Writes the rows and drops the records from memory. Resolves when both are done. */
  evict(entries: readonly Entry[], rows: ReadonlyMap<string, readonly StoreOp[]>): Promise<void>
}

export class Evictor {
  readonly #engine: Pick<Engine, 'directory' | 'fetch'>
  readonly #rows: ColdRows
  readonly #leaving: EvictionPorts
  readonly #options: Pick<EvictionOptions, 'keep'>
  /** Ended transactions in memory, oldest end first. */
  readonly #ended = new Set<Entry>()
  /** Number of evicted transactions since the start of the process. */
  #evicted = 0
  #running: Promise<void> | null = null
  #stopped = false

  constructor(
    engine: Pick<Engine, 'directory' | 'fetch'>,
    rows: ColdRows,
    leaving: EvictionPorts,
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
    await this.#running
  }

  /**
   * Number of ended transactions to keep. While all of them fit into memory, queries use its indexes. A process that
   * evicts reads most of them from the store anyway, and every full garbage collection traverses those in memory: each
   * two evictions therefore lower the limit by one, until a fifth is left. Under load, each new transaction then evicts
   * two, not all of the excess at once.
   */
  get #limit(): number {
    const { keep } = this.#options
    return Math.max(Math.ceil(keep * MIN_SHARE), keep - Math.floor(this.#evicted / 2))
  }

  #go(): void {
    if (this.#stopped || this.#running !== null || this.#ended.size <= this.#limit) return
    const missing: ColdKey[] = []
    const entries = this.#next(missing)
    if (entries.length === 0 && missing.length === 0) return
    this.#running = this.#evict(entries, missing).then(
      () => this.#done(true),
      // A failed write ends the process. A failed fetch is repeated at the next change.
      () => this.#done(false),
    )
  }

  #done(again: boolean): void {
    this.#running = null
    if (again) this.#go()
  }

  async #evict(entries: readonly Entry[], missing: readonly ColdKey[]): Promise<void> {
    if (entries.length > 0) await this.#leaving.evict(entries, this.#rows.of(entries))
    this.#evicted += entries.filter(({ head }) => head.kind === 'transaction').length
    if (missing.length > 0) await this.#engine.fetch(missing)
  }

  /**
   * The next records to evict, with their companions. A record that cannot be evicted yet keeps its position; `missing`
   * receives the rows that must be fetched first.
   */
  #next(missing: ColdKey[]): Entry[] {
    const next = new Set<Entry>()
    let examined = 0
    const excess = this.#ended.size - this.#limit
    for (const entry of this.#ended) {
      if (examined === Math.min(MAX_EXAMINED, excess) || next.size >= MAX_AT_ONCE) break
      examined += 1
      // It keeps its position: the commit of its newer head starts the next examination.
      if (!isSettled(entry)) continue
      const companions = this.#tryCompanions(entry, missing)
      // It is examined again after the fetch.
      if (companions === undefined) continue
      this.#ended.delete(entry)
      if (companions === null) {
        // It is examined again after all others.
        this.#ended.add(entry)
        continue
      }
      for (const each of [entry, ...companions]) next.add(each)
    }
    return [...next]
  }

  /** undefined: rows are missing. */
  #tryCompanions(entry: Entry, missing: ColdKey[]): Entry[] | null | undefined {
    try {
      return this.#companions(entry)
    } catch (error) {
      if (!(error instanceof NotAtHand)) throw error
      missing.push(...error.keys)
      return undefined
    }
  }

  /** null: a countersignature or plan still needs the transaction. */
  #companions({ head }: Entry): Entry[] | null {
    const { directory } = this.#engine
    const countersignatures = directory.find(countersignedKey(head.id))
    if (!countersignatures.every(hasEndedOnDisk)) return null
    if (directory.find(carriedItemsKey(head.id)).some(({ head: item }) => item.value === 'underWay')) return null
    const plans = directory.find(planKey(head.id))
    if (plans.some(({ head: plan }) => plan.value === 'running')) return null
    return [...countersignatures, ...plans.filter((plan) => isSettled(plan) && this.#isOver(plan.head))]
  }

  /** No step of the plan can change any more. */
  #isOver(state: RecordState): boolean {
    const steps = ofKind(state, 'plan')?.context.steps ?? []
    return steps.every(
      ({ transactionId }) => transactionId === null || hasEnded(this.#engine.directory.byId(transactionId)?.head),
    )
  }
}

function hasEndedOnDisk(entry: Entry): boolean {
  return isSettled(entry) && (entry.head.value === 'settled' || entry.head.value === 'released')
}

/** True if the head is on disk and visible to reads. */
export function isSettled({ head, committed, dirty, place }: Entry): boolean {
  return head === committed && !dirty && place === 'memory'
}
