// What a status does not tell of a landed transaction (compute units, and the time of a block where that was missing) is asked for once
// and kept with the record: by whoever looks at its details, or in the background when it is final and little else is going on. It is an
// observation: it rides with the next write, and a crash only means that it is asked again when somebody looks.
import type { Engine } from '../../engine/engine.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { settle, transactionEntry } from '../../engine/settlement/settlement.ts'
import { CommandRejected } from '../../engine/records/unit-of-work.ts'
import type { ClusterAccess } from '../context/platform.ts'

type Transaction = RecordState<'transaction'>

/** Questions of one turn: one batch. */
const MOST_AT_ONCE = 100
/** Ids kept; the oldest are left to whoever looks. */
const MOST_WAITING = 10_000

/** True when there is something to ask: it landed, and this is not known of it. */
export function isUnmeasured({ value, context }: Transaction): boolean {
  return context.computeUnitsConsumed === null && context.signature !== null && LANDED.has(value)
}

const LANDED: ReadonlySet<string> = new Set(['confirmed', 'finalized', 'blockchainError'])
const FINAL: ReadonlySet<string> = new Set(['finalized', 'blockchainError'])

/** Asks and remembers. Never rejects: what the cluster cannot tell stays unknown. */
export async function measure(engine: Engine, cluster: Pick<ClusterAccess, 'landed'>, id: string): Promise<void> {
  const asked = ofKind(transactionEntry(engine, id)?.head, 'transaction')
  if (asked === undefined || asked.context.signature === null) return
  const landed = await cluster.landed(asked.context.signature).catch(() => null)
  const entry = transactionEntry(engine, id)
  if (landed === null || entry === undefined) return
  try {
    await settle(engine, entry, { type: 'chain.measured', ...landed }, '')
  } catch (error) {
    // It has ended otherwise meanwhile, or its fork died.
    if (!(error instanceof CommandRejected)) throw error
  }
}

/** Measures in the background what became final since the last turn, unless that was so much that the cluster has better to do. */
export class Measuring {
  readonly #engine: Engine
  readonly #clusters: ReadonlyMap<string, Pick<ClusterAccess, 'landed'>>
  /** Oldest first; by id, so that an old state is not kept alive. */
  #waiting: { readonly id: string; readonly cluster: string }[] = []
  #arrived = 0
  #asking: Promise<unknown> | null = null

  constructor(engine: Engine, clusters: ReadonlyMap<string, Pick<ClusterAccess, 'landed'>>) {
    this.#engine = engine
    this.#clusters = clusters
    engine.onCommitted((changes) => {
      for (const { previous, next } of changes) {
        if (next.kind !== 'transaction' || !FINAL.has(next.value) || previous?.value === next.value) continue
        const transaction = next as Transaction
        if (isUnmeasured(transaction)) this.#waiting.push({ id: transaction.id, cluster: transaction.cluster })
        this.#arrived += 1
      }
    })
  }

  /** One batch at most, and none while more than that arrives in a turn. */
  turn(): void {
    const busy = this.#arrived > MOST_AT_ONCE
    this.#arrived = 0
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING)
    if (busy || this.#asking !== null || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, MOST_AT_ONCE)
    // Calls of one tick go out as one request.
    this.#asking = Promise.all(batch.map((each) => this.#measure(each))).finally(() => (this.#asking = null))
  }

  async #measure({ id, cluster }: { readonly id: string; readonly cluster: string }): Promise<void> {
    const access = this.#clusters.get(cluster)
    if (access !== undefined) await measure(this.#engine, access, id)
  }

  /** Resolves when nothing is being asked. */
  async stop(): Promise<void> {
    this.#waiting = []
    await this.#asking
  }
}
