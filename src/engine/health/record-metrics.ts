// Gauges of the records, updated with every committed change, so that a scrape does not iterate over records.
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Engine } from '../engine.ts'
import type { Entry } from '../records/entry.ts'
import { hasEnded, ofKind, type RecordState } from '../records/record.ts'

/** Maximum number of fee payers exported individually; further ones are omitted. */
const MAX_FEE_PAYERS = 200

export class RecordMetrics {
  readonly #engine: Engine
  readonly #clock: { now(): number }
  /** Number of records by `kind state`. */
  readonly #counts = new Map<string, number>()
  /** Transactions that have not ended, oldest first, with their time of preparation (Unix milliseconds). */
  readonly #open = new Map<string, number>()
  readonly #feePayers = new Set<Entry>()
  /** Records with a reservation. */
  readonly #reserving = new Set<string>()

  /** @param engine must be open */
  constructor(engine: Engine, clock: { now(): number }) {
    this.#engine = engine
    this.#clock = clock
    const opened: RecordState<'transaction'>[] = []
    for (const entry of engine.directory.entries()) {
      // A plain record has no reservation and pays no fees.
      if (entry.isStored) {
        this.#count(entry.outline, 1)
        continue
      }
      if (entry.committed === undefined) continue
      const transaction = ofKind(entry.committed, 'transaction')
      if (transaction !== undefined && !hasEnded(transaction)) opened.push(transaction)
      else this.#follow(entry, entry.committed)
      this.#count(entry.committed, 1)
    }
    for (const transaction of opened.sort((a, b) => preparedMs(a) - preparedMs(b)))
      this.#open.set(transaction.id, preparedMs(transaction))
    engine.onCommitted((changes) => {
      for (const { entry, previous, next } of changes) {
        if (previous?.value !== next.value) {
          if (previous !== undefined) this.#count(previous, -1)
          this.#count(next, 1)
        }
        this.#follow(entry, next)
      }
    })
  }

  observe(metrics: Metrics): void {
    metrics.observedEach('holdfast_records', 'Records by kind and state', 'gauge', () => this.#byState())
    metrics.observed('holdfast_transactions_open', 'Transactions that may still change', 'gauge', () => this.#open.size)
    metrics.observed(
      'holdfast_oldest_open_transaction_seconds',
      'Age of the oldest open transaction; 0 if none is open',
      'gauge',
      () => this.#oldestSeconds(),
    )
    metrics.observed(
      'holdfast_records_with_reservations',
      'Accounts and positions with reserved amounts',
      'gauge',
      () => this.#reserving.size,
    )
    metrics.observed(
      'holdfast_actors_awake',
      'Records whose state machine is in memory',
      'gauge',
      () => this.#engine.awake,
    )
    metrics.observed('holdfast_actors_asleep', 'Records of which only the latest snapshot is in memory', 'gauge', () =>
      this.#asleep(),
    )
    metrics.observed(
      'holdfast_records_quarantined',
      'Records that accept no event because their actors threw repeatedly',
      'gauge',
      () => this.#engine.quarantined,
    )
    metrics.observed(
      'holdfast_records_out_of_balance',
      'Records whose balances wait for reconciliation with the chain',
      'gauge',
      () => this.#engine.outOfBalance.size,
    )
    metrics.observedEach('holdfast_fee_payer_lamports', 'Recorded balance of accounts that may pay fees', 'gauge', () =>
      this.#balances(),
    )
  }

  #count({ kind, value }: Pick<RecordState, 'kind' | 'value'>, change: number): void {
    const key = `${kind} ${value}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + change)
  }

  #follow(entry: Entry, next: RecordState): void {
    if (next.kind === 'transaction') {
      if (hasEnded(next)) this.#open.delete(next.id)
      else if (!this.#open.has(next.id)) this.#open.set(next.id, preparedMs(next as RecordState<'transaction'>))
      return
    }
    const account = ofKind(next, 'account')
    if (account !== undefined) {
      if (account.context.canPayFees && account.value !== 'closed') this.#feePayers.add(entry)
      else this.#feePayers.delete(entry)
    }
    const balances = account?.context.lamports ?? ofKind(next, 'position')?.context.tokens
    if (balances === undefined) return
    if (balances.reserved === '0') this.#reserving.delete(next.id)
    else this.#reserving.add(next.id)
  }

  *#byState(): Iterable<readonly [{ kind: string; state: string }, number]> {
    for (const [key, count] of this.#counts) {
      const [kind = '', state = ''] = key.split(' ')
      yield [{ kind, state }, count]
    }
  }

  #asleep(): number {
    let all = 0
    for (const count of this.#counts.values()) all += count
    return Math.max(0, all - this.#engine.awake)
  }

  #oldestSeconds(): number {
    const [first] = this.#open.values()
    return first === undefined ? 0 : Math.max(0, (this.#clock.now() - first) / 1000)
  }

  *#balances(): Iterable<readonly [{ cluster: string; account: string }, number]> {
    let shown = 0
    for (const { committed } of this.#feePayers) {
      const account = ofKind(committed, 'account')
      if (account === undefined || (shown += 1) > MAX_FEE_PAYERS) continue
      yield [{ cluster: account.cluster, account: account.context.address }, Number(account.context.lamports.balance)]
    }
  }
}

function preparedMs({ context }: RecordState<'transaction'>): number {
  return Date.parse(context.fixed.preparedAt)
}
