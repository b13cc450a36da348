// Evicts ended records other than transactions, oldest end first, when more than `keep` are in memory: batches and
// their items, schedules and their occurrences, distributions, payment requests and pending changes. A batch is evicted
// before its items, so that no command finds a batch with some of its items missing: a batch that is not in memory
// cannot be retried. Failed batches therefore stay longer.
import type { Engine } from '../engine.ts'
import type { Change } from '../records/change.ts'
import { batchItemsKey } from '../index/index-keys.ts'
import type { Entry } from '../records/entry.ts'
import { ofKind, type RecordState } from '../records/record.ts'
import type { ColdRows } from './cold-rows.ts'
import { isSettled, type EvictionPorts, type EvictionOptions } from './eviction.ts'

/** Maximum number of records per write. */
const MAX_AT_ONCE = 64
/** Records of failed batches that stay in memory by default. */
const MAX_RETRYABLE = 100_000
/** Maximum number examined per write, because some cannot be evicted yet. */
const MAX_EXAMINED = 2 * MAX_AT_ONCE

export class EndedRecords {
  readonly #engine: Pick<Engine, 'directory'>
  readonly #rows: ColdRows
  readonly #leaving: EvictionPorts
  /** Failed batches, and all other ended records. */
  readonly #retryable: EndedQueue
  readonly #others: EndedQueue
  /** Items whose batch has been evicted. */
  #items: Entry[] = []
  #running: Promise<void> | null = null
  #stopped = false

  constructor(
    engine: Pick<Engine, 'directory'>,
    rows: ColdRows,
    leaving: EvictionPorts,
    { keep, keepRetryable = MAX_RETRYABLE }: Pick<EvictionOptions, 'keep' | 'keepRetryable'>,
  ) {
    this.#engine = engine
    this.#rows = rows
    this.#leaving = leaving
    this.#others = new EndedQueue(keep)
    this.#retryable = new EndedQueue(Math.max(keep, keepRetryable))
  }

  /** Starts with the loaded records. */
  begin(): void {
    const loaded: { entry: Entry; endedAt: string }[] = []
    const { directory } = this.#engine
    for (const entry of directory.entries(...ENDING, 'batchItem')) {
      const { head } = entry
      if (isOver(head)) loaded.push({ entry, endedAt: endOf(head) })
      const batchId = ofKind(head, 'batchItem')?.context.batchId
      if (batchId !== undefined && directory.resident(batchId)?.place !== 'memory') this.#items.push(entry)
    }
    loaded.sort((a, b) => (a.endedAt < b.endedAt ? -1 : Number(a.endedAt > b.endedAt)))
    for (const { entry } of loaded) this.#add(entry)
    this.#go()
  }

  take(changes: readonly Change[]): void {
    for (const { entry, next } of changes) {
      if (entry.place !== 'memory') continue
      if (isOver(next)) this.#add(entry)
      else if (next.kind === 'batch') this.#retryable.delete(entry)
    }
    this.#go()
  }

  /** Resolves when no eviction is in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  #add(entry: Entry): void {
    const batch = ofKind(entry.head, 'batch')?.context
    const queue = batch !== undefined && batch.counts.failed > 0 ? this.#retryable : this.#others
    queue.add(entry, 1 + (batch?.items ?? 0))
  }

  #go(): void {
    if (this.#stopped || this.#running !== null) return
    const entries = this.#next()
    if (entries.length === 0) return
    // A failed write ends the process, so there is no error to report here.
    this.#running = this.#leaving
      .evict(entries, this.#rows.of(entries))
      .catch(() => undefined)
      .finally(() => {
        this.#running = null
        this.#go()
      })
  }

  /** The next records to evict; items of evicted batches come first. */
  #next(): Entry[] {
    const next = this.#items.splice(0, MAX_AT_ONCE)
    for (const queue of [this.#others, this.#retryable]) {
      for (const entry of queue.take(MAX_AT_ONCE - next.length)) {
        next.push(entry)
        if (entry.head.kind === 'batch') this.#items.push(...this.#engine.directory.find(batchItemsKey(entry.head.id)))
      }
    }
    return next
  }
}

/** Ended records in memory, except items, oldest end first, with the number of records that are evicted with each. */
class EndedQueue {
  readonly #keep: number
  readonly #sizes = new Map<Entry, number>()
  #size = 0

  constructor(keep: number) {
    this.#keep = keep
  }

  add(entry: Entry, size: number): void {
    if (this.#sizes.has(entry)) return
    this.#sizes.set(entry, size)
    this.#size += size
  }

  delete(entry: Entry): void {
    this.#size -= this.#sizes.get(entry) ?? 0
    this.#sizes.delete(entry)
  }

  /** Removes the oldest records above the limit, at most `max`. */
  take(max: number): Entry[] {
    const evicted: Entry[] = []
    let examined = 0
    for (const entry of this.#sizes.keys()) {
      if (this.#size <= this.#keep || evicted.length >= max || examined === MAX_EXAMINED) break
      examined += 1
      // It keeps its position: the commit of its newer head starts the next examination.
      if (!isSettled(entry)) continue
      this.delete(entry)
      evicted.push(entry)
    }
    return evicted
  }
}

/** Kinds whose records end, except items, which follow their batch. */
const ENDING = ['batch', 'occurrence', 'schedule', 'distribution', 'paymentRequest', 'pendingChange'] as const

/** True if only the retry of a batch can still change the record. */
function isOver(state: RecordState): boolean {
  switch (state.kind) {
    case 'batch': {
      const { endedAt, sweep } = (state as RecordState<'batch'>).context
      return endedAt !== null && sweep === null
    }
    case 'occurrence':
      return state.value !== 'underWay'
    case 'schedule':
      return state.value === 'ended' || state.value === 'cancelled'
    case 'distribution':
      return state.value !== 'waiting' && state.value !== 'paying'
    case 'paymentRequest':
      return !(state as RecordState<'paymentRequest'>).context.watched
    case 'pendingChange':
      return state.value !== 'pending'
    default:
      return false
  }
}

function endOf({ context }: RecordState): string {
  return (context as { readonly endedAt?: string | null }).endedAt ?? ''
}
