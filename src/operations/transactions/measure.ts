// Facts about a landed transaction that its status does not include: compute units, and the block time if it was
// missing. They are read once, when the details of the transaction are requested, or in the background when it is
// final and load is low. They are stored with the next write; if a crash loses them, the next request for the details
// reads them again.
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Engine } from '../../engine/engine.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { settleTransaction, transactionEntry } from '../../engine/settlement/settlement.ts'
import type { PlatformCluster } from '../context/platform.ts'
import type { MeasuringLoad } from './measuring-load.ts'

type Transaction = RecordState<'transaction'>

/** Queue bound. The oldest ids are dropped; a request for the details reads those. */
const MAX_WAITING = 10_000

/** True if the transaction has landed and its compute units are unknown. */
export function isUnmeasured({ value, context }: Transaction): boolean {
  return context.computeUnitsConsumed === null && context.signature !== null && LANDED.has(value)
}

const LANDED: ReadonlySet<string> = new Set(['confirmed', 'finalized', 'blockchainError'])
const FINAL: ReadonlySet<string> = new Set(['finalized', 'blockchainError'])

/** Reads and records the facts. A cluster that does not answer leaves them unknown. */
export async function measure(engine: Engine, cluster: Pick<PlatformCluster, 'landed'>, id: string): Promise<void> {
  const transaction = ofKind((await atHand(engine, () => transactionEntry(engine, id)))?.head, 'transaction')
  if (transaction === undefined || transaction.context.signature === null) return
  const landed = await cluster.landed(transaction.context.signature).catch(() => null)
  if (landed === null) return
  await atHand(engine, async () => {
    const entry = transactionEntry(engine, id)
    // Rejected without effect if the transaction has ended otherwise in the meantime, or if its fork was dropped.
    if (entry !== undefined) await settleTransaction(engine, entry, { type: 'chain.measured', ...landed }, '').durable
  })
}

export interface MeasurementLog {
  warn(fields: object, message: string): void
}

/** Measures transactions that became final, in the background, as the load of the process permits. */
export class TransactionMeasurer {
  readonly #engine: Engine
  readonly #clusters: ReadonlyMap<string, Pick<PlatformCluster, 'landed'>>
  /** Oldest first. Ids only, so that evicted states are not kept in memory. */
  #waiting: { readonly id: string; readonly cluster: string }[] = []
  readonly #load: MeasuringLoad
  readonly #log: MeasurementLog
  readonly #endUse: () => void
  #asking: Promise<unknown> | null = null

  constructor(
    engine: Engine,
    clusters: ReadonlyMap<string, Pick<PlatformCluster, 'landed'>>,
    load: MeasuringLoad,
    log: MeasurementLog,
  ) {
    this.#engine = engine
    this.#clusters = clusters
    this.#load = load
    this.#log = log
    this.#endUse = load.use()
    engine.onCommitted((changes) => {
      for (const { previous, next } of changes) {
        if (next.kind !== 'transaction' || !FINAL.has(next.value) || previous?.value === next.value) continue
        const transaction = next as Transaction
        if (isUnmeasured(transaction)) this.#waiting.push({ id: transaction.id, cluster: transaction.cluster })
        load.arrived()
      }
    })
  }

  /** Starts at most one batch. */
  turn(): void {
    if (this.#waiting.length > MAX_WAITING) this.#waiting = this.#waiting.slice(-MAX_WAITING)
    if (this.#asking !== null) return
    const batch = this.#waiting.splice(0, this.#load.take(this.#waiting.length))
    if (batch.length === 0) return
    // The RPC client sends calls of one tick as one request.
    this.#asking = Promise.all(batch.map((each) => this.#measure(each))).finally(() => (this.#asking = null))
  }

  /** Never rejects. Facts that cannot be recorded are read again when the details are requested. */
  async #measure({ id, cluster }: { readonly id: string; readonly cluster: string }): Promise<void> {
    const access = this.#clusters.get(cluster)
    if (access === undefined) return
    try {
      await measure(this.#engine, access, id)
    } catch (error) {
      this.#log.warn({ err: error, transactionId: id }, 'the facts of a landed transaction could not be recorded')
    }
  }

  /** Resolves when the running batch has ended. */
  async stop(): Promise<void> {
    this.#waiting = []
    this.#endUse()
    await this.#asking
  }
}
