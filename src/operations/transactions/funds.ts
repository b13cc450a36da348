// Before a request is refused for an insufficient balance, or because a record is paused, the record is reconciled with
// the chain: this detects deposits and changes made outside of this service. Requests refused for the same record at
// the same time share one read.
import { feePayerKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import type { Platform } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { Refusal, type Problem } from '../../contract/refusal.ts'

/** Fee payers that are compared with the chain before a request is refused. */
const MAX_OTHER_FEE_PAYERS = 20

/** 400 by the state of a record, which may differ from the chain. */
export class OutdatedRefusal extends Refusal {
  readonly record: RecordState

  constructor(record: RecordState, problem: Omit<Problem, 'retryable'>) {
    super(400, [{ ...problem, retryable: false }])
    this.record = record
  }
}

/** 400 `INSUFFICIENT_BALANCE` by the books of a record. */
export class Shortage extends OutdatedRefusal {
  constructor(record: RecordState, message: string, pointer: string) {
    super(record, { code: 'INSUFFICIENT_BALANCE', message, pointer })
  }
}

/** The records that one request has compared with the chain because their state refused it. */
export class Funds {
  readonly #platform: Platform
  readonly #cluster: string
  /** By record id: true if its books could be compared with the chain. */
  readonly #compared = new Map<string, boolean>()

  constructor(platform: Platform, cluster: string) {
    this.#platform = platform
    this.#cluster = cluster
  }

  /**
   * Resolves if reconciliation has changed the record, or another fee payer: the attempt may succeed now. Otherwise
   * throws the refusal, `retryable` if the chain could not be read, or if the difference is indistinguishable from
   * transactions under way.
   */
  async compare(refusal: OutdatedRefusal): Promise<void> {
    const { record } = refusal
    const compared = this.#compared
    // As the refused attempt saw them: a deposit may be noticed while `record` is compared.
    const others = otherFeePayers(this.#platform, record, compared)
    const before = compared.get(record.id)
    const isCompared = before ?? (await compare(this.#platform, this.#cluster, record))
    compared.set(record.id, isCompared)
    const now = this.#platform.engine.directory.resident(record.id)?.head
    if (before === undefined && now?.revision !== record.revision) return
    if (await haveFunds(this.#platform, this.#cluster, others, compared)) return
    throw isCompared ? refusal : retryable(refusal)
  }
}

/** Own fee payers of the organization that have not been compared yet, if `record` pays fees; empty otherwise. */
function otherFeePayers(
  { engine }: Platform,
  record: RecordState,
  compared: ReadonlyMap<string, boolean>,
): RecordState[] {
  const account = ofKind(record, 'account')
  if (account?.context.canPayFees !== true) return []
  const { tenant, cluster, context } = account
  return engine.directory
    .find(feePayerKey(cluster, context.organization))
    .map(({ head }) => head)
    .filter((head) => head.tenant === tenant && head.id !== record.id && !compared.has(head.id))
    .slice(0, MAX_OTHER_FEE_PAYERS)
}

/**
 * An account that pays the fee because nobody is named may be empty while another one was funded outside of this
 * service. True if reconciliation changed one of the others: the selection is then repeated.
 */
async function haveFunds(
  platform: Platform,
  cluster: string,
  others: readonly RecordState[],
  compared: Map<string, boolean>,
): Promise<boolean> {
  const changed = await Promise.all(
    others.map(async (head) => {
      compared.set(head.id, await compare(platform, cluster, head))
      return platform.engine.directory.resident(head.id)?.head.revision !== head.revision
    }),
  )
  return changed.includes(true)
}

function retryable({ status, problems }: OutdatedRefusal): Refusal {
  return new Refusal(
    status,
    problems.map((problem) => ({ ...problem, retryable: true })),
  )
}

interface Comparisons {
  readonly running: Promise<boolean>
  /** Starts after `running` has ended, so its read is not older than the requests that wait for it. */
  next: Promise<boolean> | null
}

const comparisons = new WeakMap<Entry, Comparisons>()

/**
 * True if the books were compared with the chain as of this call or later. Never rejects on RPC or transport errors.
 */
async function compare(platform: Platform, cluster: string, record: RecordState): Promise<boolean> {
  const entry = platform.engine.directory.resident(record.id)
  if (entry === undefined) return false
  const before = comparisons.get(entry)
  if (before === undefined) return await begin(platform, cluster, entry)
  before.next ??= before.running.catch(() => false).then(async () => await begin(platform, cluster, entry))
  return await before.next
}

async function begin(platform: Platform, cluster: string, entry: Entry): Promise<boolean> {
  const running = isDecided(platform, cluster, entry)
  const own: Comparisons = { running, next: null }
  comparisons.set(entry, own)
  try {
    return await running
  } finally {
    if (comparisons.get(entry) === own && own.next === null) comparisons.delete(entry)
  }
}

async function isDecided(platform: Platform, cluster: string, entry: Entry): Promise<boolean> {
  try {
    return (await reconcile(platform, cluster, [entry.head])).undecided.length === 0
  } catch (error) {
    if (error instanceof RpcError || error instanceof TransportError) return false
    throw error
  }
}
