// Updates records from the accounts on chain. Balances are compared even while transactions of this service are open:
// their effect is subtracted (`cut.ts`), so deposits and withdrawals by others are always found. Owner, authorities,
// state and existence are compared while transactions wait, too; otherwise a waiting transaction could keep a record
// outdated for any length of time.
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import { NotAtHand, type ColdKey } from '../../../snapshots/not-at-hand.ts'
import { atHand, MissingRows } from '../../../snapshots/at-hand.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { type HoldingState, isHolding, type RecordState } from '../../engine/records/record.ts'
import { balanceFacts } from './balances.ts'
import { Cut } from './cut.ts'
import { findDifferences, type ObservedEvent } from './differences.ts'
import { recordFacts, untilWritten } from './record-facts.ts'
import { isMissingOnChain, noteAnswer, settleMissing } from './missing.ts'
import { isChanging, isInFlight, settledAt } from './moving.ts'
import { openEffects } from './open-effects.ts'
import type { ChainAccount, PlatformCluster, Platform } from '../context/platform.ts'

export interface ReconcileOptions {
  /** Minimum slot of the answer; default: the slot of the last settled transaction. */
  readonly leastSlot?: number
  /**
   * For background work: accounts that an answer lacks count only once a finalized answer confirms it, undecided
   * records are not retried at once, and a record whose actor throws is undecided too, and left out when quarantined.
   */
  readonly patient?: boolean
  /** Maximum signature statuses of one query; the default depends on `patient`. */
  readonly maxStatuses?: number
}

export interface ReconcileResult {
  /** True if any record changed. */
  readonly changed: boolean
  /**
   * Records whose balances could not be compared, because the effect of this service's transactions on the chain is
   * unknown.
   */
  readonly undecided: readonly Entry[]
  /** The oldest slot of the readings; Infinity: nothing was read. */
  readonly slot: number
}

/** Records of one query. The rest of its 100 addresses is for nonce accounts. */
const RECORDS_AT_ONCE = 80
/** Statuses of one query: for background work, and for a waiting request. */
export const MAX_STATUSES = { patient: 256, waiting: 4_096 }
/** Pauses before undecided records are read again, in milliseconds; the last is about the time of a slot. */
const PAUSES_MS = [0, 10, 25, 50, 100, 200, 400, 400]

/**
 * Reads the records' accounts at `confirmed` and writes the differences. Resolves when the writes are durable. Rejects
 * with RpcError or TransportError.
 */
export async function reconcile(
  platform: Platform,
  cluster: string,
  records: readonly RecordState[],
  options: ReconcileOptions = {},
): Promise<ReconcileResult> {
  const { directory } = platform.engine
  const entries = new Set(records.filter(isHolding).flatMap(({ id }) => directory.resident(id) ?? []))
  const access = platform.clusters.get(cluster)
  let remaining = [...entries].filter(
    (entry) => isComparable(entry) && !(options.patient === true && entry.quarantined),
  )
  let changed = false
  let slot = Infinity
  if (access === undefined) return { changed, undecided: [], slot }
  for (const pauseMs of options.patient === true ? [0] : PAUSES_MS) {
    if (remaining.length > 0) await pause(platform, remaining, pauseMs)
    const undecided: Entry[] = []
    for (let at = 0; at < remaining.length; at += RECORDS_AT_ONCE) {
      const outcome = await compare(platform, access, remaining.slice(at, at + RECORDS_AT_ONCE), options)
      changed ||= outcome.changed
      slot = Math.min(slot, outcome.slot)
      undecided.push(...outcome.undecided)
    }
    remaining = undecided
  }
  return { changed, undecided: remaining, slot }
}

/**
 * For a balance query, which shows the recorded balance and the chain's. If the statuses of this service's transactions
 * cannot be read, the record stays as it is and the answer shows the difference.
 */
export async function recordIfDecided(platform: Platform, cluster: string, entry: Entry): Promise<void> {
  try {
    await reconcile(platform, cluster, [entry.head])
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof TransportError)) throw error
  }
}

function isComparable({ head }: Entry): boolean {
  return isHolding(head) && head.value !== 'closed' && head.value !== 'pending'
}

/** Waits until a transaction that prevents a decision advances, at most `pauseMs`. */
async function pause(platform: Platform, entries: readonly Entry[], pauseMs: number): Promise<void> {
  if (pauseMs === 0) return
  const effects = entries.flatMap(({ head }) => (isHolding(head) ? openEffects(platform.engine, head) : []))
  const [open] = effects.map(({ transactionId }) => platform.engine.directory.resident(transactionId)?.head)
  await platform.engine.waiters.wait(open?.id ?? '', ({ revision }) => revision > (open?.revision ?? 0), pauseMs)
}

/**
 * One query; several if the answer is too long, so that records of one tenant, whose accounts may be of 10 MiB, keep no
 * record of another one from being compared.
 */
async function compare(
  platform: Platform,
  access: PlatformCluster,
  entries: readonly Entry[],
  options: ReconcileOptions,
): Promise<ReconcileResult> {
  try {
    return await compareAtOnce(platform, access, entries, options)
  } catch (error) {
    const isTooLong = error instanceof TransportError && error.fault === 'TOO_LARGE'
    if (!isTooLong || entries.length < 2) throw error
    const half = Math.ceil(entries.length / 2)
    const first = await compare(platform, access, entries.slice(0, half), options)
    const second = await compare(platform, access, entries.slice(half), options)
    return {
      changed: first.changed || second.changed,
      undecided: [...first.undecided, ...second.undecided],
      slot: Math.min(first.slot, second.slot),
    }
  }
}

async function compareAtOnce(
  platform: Platform,
  access: PlatformCluster,
  entries: readonly Entry[],
  options: ReconcileOptions,
): Promise<ReconcileResult> {
  const { leastSlot = 0, patient = false } = options
  const { maxStatuses = patient ? MAX_STATUSES.patient : MAX_STATUSES.waiting } = options
  const revisions = entries.map(({ head }) => head.revision)
  // An answer older than the last settled transaction would undo its settlement.
  const cut = await atHand(platform.engine, () => {
    const floor = Math.max(leastSlot, ...entries.map(({ head }) => (isHolding(head) ? settledAt(platform, head) : 0)))
    return Cut.read(platform, access, entries, { leastSlot: floor, maxStatuses })
  })
  try {
    const evaluated = await recordAll(platform, cut, entries, { revisions, patient })
    if (evaluated.missing.length > 0)
      for (const entry of await settleMissing(platform, cut, access.id, evaluated.missing))
        platform.engine.noticed(entry)
    return evaluated
  } finally {
    cut.end()
  }
}

interface ComparedRecords extends ReconcileResult {
  /** Records whose account the reading lacks. */
  readonly missing: readonly Entry[]
}

interface Wanted {
  readonly entry: Entry
  /** Revision of the record when the query was sent. */
  readonly revision: number | undefined
}

/**
 * Resolves when the writes are durable. Each record is compared and written in one turn. A record whose comparison
 * lacks rows is compared again with the same reading, once the rows are fetched.
 */
async function recordAll(
  platform: Platform,
  cut: Cut,
  entries: readonly Entry[],
  { revisions, patient }: { readonly revisions: readonly number[]; readonly patient: boolean },
): Promise<ComparedRecords> {
  const writer = new FactWriter(platform, cut, patient)
  const missingRows = new MissingRows(platform.engine)
  let remaining: readonly Wanted[] = entries.map((entry, index) => ({ entry, revision: revisions[index] }))
  while (remaining.length > 0) {
    const keys: ColdKey[] = []
    const retries: Wanted[] = []
    for (const wanted of remaining) {
      try {
        writer.take(wanted)
      } catch (error) {
        if (!(error instanceof NotAtHand)) throw error
        keys.push(...error.keys)
        retries.push(wanted)
      }
    }
    if (retries.length > 0) await missingRows.fetch(new NotAtHand(keys))
    remaining = retries
  }
  return await writer.written()
}

/** The data of one record in the cut. */
interface Reading {
  readonly account: ChainAccount | null
  /** The record has changed since the query was sent. */
  readonly hasMoved: boolean
  readonly isOutdated: boolean
  readonly isMissing: boolean
  readonly inFlight: boolean
}

class FactWriter {
  readonly #platform: Platform
  readonly #cut: Cut
  readonly #patient: boolean
  readonly #writes: Promise<void>[] = []
  readonly #missing: Entry[] = []
  readonly #undecided: Entry[] = []
  #changed = false

  constructor(platform: Platform, cut: Cut, patient: boolean) {
    this.#platform = platform
    this.#cut = cut
    this.#patient = patient
  }

  async written(): Promise<ComparedRecords> {
    await Promise.all(this.#writes)
    return { changed: this.#changed, undecided: this.#undecided, missing: this.#missing, slot: this.#cut.slot }
  }

  async #record(entry: Entry, facts: readonly ObservedEvent[]): Promise<void> {
    const written = recordFacts(this.#platform, entry, facts, this.#cut.slot)
    try {
      await written
    } catch (error) {
      if (!this.#patient) throw error
      this.#platform.log?.warn(
        { err: error, record: entry.head.id },
        'an observation of the chain could not be recorded',
      )
      this.#undecided.push(entry)
    }
  }

  /** It may fail while rows for another record are fetched, before `written` checks it. */
  #await(write: Promise<void>): void {
    write.catch(() => undefined)
    this.#writes.push(write)
  }

  /** Synchronous up to the write. Throws `NotAtHand` before it has any effect. */
  take({ entry, revision }: Wanted): void {
    const { head } = entry
    if (!isHolding(head) || !isComparable(entry)) return
    const [platform, cut] = [this.#platform, this.#cut]
    const account = cut.account(entry)
    const hasMoved = head.revision !== revision
    const reading = {
      account,
      hasMoved,
      // It may be older than a change of the record during the query, or than an answer that was used before.
      isOutdated: !cut.isYoungest(entry) || (hasMoved && settledAt(platform, head) > cut.slot),
      isMissing: isMissingOnChain(head, account),
      inFlight: isInFlight(platform, head),
    }
    if (reading.isMissing && this.#patient) this.#defer(entry, reading)
    else this.#compare(entry, head, reading)
  }

  /** Only a finalized answer decides about an account that is missing. */
  #defer(entry: Entry, reading: Reading): void {
    this.#note(entry, reading)
    if (reading.isOutdated || reading.inFlight) this.#undecided.push(entry)
  }

  #compare(entry: Entry, head: HoldingState, reading: Reading): void {
    const [platform, cut] = [this.#platform, this.#cut]
    const { account, hasMoved, isOutdated } = reading
    const comparison = cut.compare(entry)
    this.#note(entry, reading)
    if (!isOutdated) cut.use(entry)
    if (comparison === null) this.#undecided.push(entry)
    const isQuiet = !hasMoved && comparison?.isSettled === true && !isChanging(platform, head)
    const facts: readonly ObservedEvent[] = [
      ...(isOutdated ? [] : findDifferences(platform, head, account, { slot: cut.slot, isQuiet })),
      ...(comparison === null ? [] : balanceFacts(head, account, comparison.ahead)),
    ]
    if (facts.length > 0) this.#await(this.#record(entry, facts))
    this.#changed ||= facts.length > 0
    if (comparison?.isSettled === false) platform.engine.noticed(entry)
  }

  /** Notes whether the account exists, if the reading shows that: a transaction in flight may be about to create it. */
  #note(entry: Entry, { isOutdated, isMissing, inFlight }: Reading): void {
    this.#await(untilWritten(entry))
    if (isOutdated || (isMissing && inFlight)) return
    noteAnswer(entry, isMissing, this.#cut.slot)
    if (isMissing) this.#missing.push(entry)
  }
}

/**
 * Reconciles at most `max` records: those that a fact has set below zero, that are known to differ, or that could not
 * be compared. A cluster that does not answer does not affect those of the others. Rejects with the first failure,
 * after all clusters have been queried.
 */
export async function reconcileNoticed(platform: Platform, max: number): Promise<void> {
  const { outOfBalance } = platform.engine
  const ready = [...outOfBalance].filter(({ head }) => isHolding(head) && head.value !== 'pending').slice(0, max)
  for (const entry of ready) outOfBalance.delete(entry)
  const clusters = new Set(ready.map(({ head }) => head.cluster))
  const outcomes = await Promise.allSettled(
    [...clusters].map((cluster) =>
      reconcileOfCluster(
        platform,
        cluster,
        ready.filter(({ head }) => head.cluster === cluster),
      ),
    ),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Marks the records again that could not be compared. */
async function reconcileOfCluster(platform: Platform, cluster: string, entries: readonly Entry[]): Promise<void> {
  const { engine } = platform
  const heads = entries.map(({ head }) => head)
  try {
    const { undecided } = await reconcile(platform, cluster, heads, { patient: true })
    for (const entry of undecided) engine.noticed(entry)
  } catch (error) {
    for (const entry of entries) engine.noticed(entry)
    throw error
  }
}
