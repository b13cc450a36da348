// Brings records up to what the chain says. Money that came in from outside, or was taken out by others, is known this way whatever else the
// account is doing: what our own open transactions have done to a balance is accounted for (`onchain/cut.ts`). Owner, authorities, state and
// existence are compared while transactions wait, too, or one would keep a record as it was for as long as somebody likes.
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, type RecordState } from '../../engine/records/record.ts'
import { balanceFacts } from './balances.ts'
import { Cut } from './cut.ts'
import { differences, type Fact } from './differences.ts'
import { fold, folded } from './fold.ts'
import { misses, noteAnswer, settleMissing } from './missing.ts'
import { isInFlight, isMoving, settledAt } from './moving.ts'
import { openEffects } from './open-effects.ts'
import type { ClusterAccess, Platform } from '../context/platform.ts'

export interface Looking {
  /** The answer must not be older than this; default: than anything in the books. */
  readonly leastSlot?: number
  /** What an answer does not show counts only once it is finalized, and what is not decided waits. For whoever has time. */
  readonly patient?: boolean
  /** Statuses of one question; default: by patience. */
  readonly maxStatuses?: number
}

export interface Reconciled {
  /** Whether any record changed. */
  readonly changed: boolean
  /** Records whose balances could not be compared: it is not known what of the chain's is our own doing. */
  readonly undecided: readonly Entry[]
  /** The oldest slot that a reading was as of; Infinity: nothing was read. */
  readonly slot: number
}

/** Records of one question; the rest of its 100 addresses is for nonce accounts. */
const RECORDS_AT_ONCE = 80
/** Statuses of one question: for whoever has time, and for whoever waits. */
export const MAX_STATUSES = { patient: 256, waiting: 4_096 }
/** Pauses before what was not decided is asked again, milliseconds: blocks come every 400. */
const PAUSES_MS = [0, 10, 25, 50, 100, 200, 400, 400]

/**
 * Reads the records' accounts at `confirmed` and folds differences in, durably. Rejects with RpcError or TransportError.
 */
export async function reconcile(
  platform: Platform,
  cluster: string,
  records: readonly RecordState[],
  looking: Looking = {},
): Promise<Reconciled> {
  const { directory } = platform.engine
  const wanted = new Set(records.filter(isHolding).flatMap(({ id }) => directory.byId(id) ?? []))
  const access = platform.clusters.get(cluster)
  let left = [...wanted].filter(isComparable)
  let changed = false
  let slot = Infinity
  if (access === undefined) return { changed, undecided: [], slot }
  for (const pauseMs of looking.patient === true ? [0] : PAUSES_MS) {
    if (left.length > 0) await pause(platform, left, pauseMs)
    const undecided: Entry[] = []
    for (let at = 0; at < left.length; at += RECORDS_AT_ONCE) {
      const outcome = await compare(platform, access, left.slice(at, at + RECORDS_AT_ONCE), looking)
      changed ||= outcome.changed
      slot = Math.min(slot, outcome.slot)
      undecided.push(...outcome.undecided)
    }
    left = undecided
  }
  return { changed, undecided: left, slot }
}

/** For a reader of balances, who is shown the difference where statuses of our own transactions cannot be had. */
export async function foldIfDecided(platform: Platform, cluster: string, entry: Entry): Promise<void> {
  try {
    await reconcile(platform, cluster, [entry.head])
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof TransportError)) throw error
  }
}

function isComparable({ head }: Entry): boolean {
  return isHolding(head) && head.value !== 'closed' && head.value !== 'pending'
}

/** Until a transaction that kept one of them from being decided gets somewhere, at most so long. */
async function pause(platform: Platform, entries: readonly Entry[], pauseMs: number): Promise<void> {
  if (pauseMs === 0) return
  const effects = entries.flatMap(({ head }) => (isHolding(head) ? openEffects(platform.engine, head) : []))
  const [open] = effects.map(({ transactionId }) => platform.engine.directory.byId(transactionId)?.head)
  await platform.engine.waiters.wait(open?.id ?? '', ({ revision }) => revision > (open?.revision ?? 0), pauseMs)
}

/** One question. */
async function compare(
  platform: Platform,
  access: ClusterAccess,
  entries: readonly Entry[],
  { leastSlot = 0, patient = false, maxStatuses = patient ? MAX_STATUSES.patient : MAX_STATUSES.waiting }: Looking,
): Promise<Reconciled> {
  const revisions = entries.map(({ head }) => head.revision)
  // An older answer than that would take back what has been settled.
  const floor = Math.max(leastSlot, ...entries.map(({ head }) => (isHolding(head) ? settledAt(platform, head) : 0)))
  const cut = await Cut.read(platform, access, entries, { leastSlot: floor, maxStatuses })
  try {
    const judged = await foldAll(platform, cut, entries, revisions, patient)
    if (judged.missing.length > 0)
      for (const entry of await settleMissing(platform, access.id, judged.missing)) platform.engine.noticed(entry)
    return judged
  } finally {
    cut.end()
  }
}

interface Judged extends Reconciled {
  /** Records whose account the reading did not show. */
  readonly missing: readonly Entry[]
}

/** Synchronous up to the writes; resolves when they are durable. */
async function foldAll(
  platform: Platform,
  cut: Cut,
  entries: readonly Entry[],
  revisions: readonly number[],
  patient: boolean,
): Promise<Judged> {
  const folds: Promise<void>[] = []
  const missing: Entry[] = []
  const undecided: Entry[] = []
  let changed = false
  for (const [index, entry] of entries.entries()) {
    const { head } = entry
    if (!isHolding(head) || !isComparable(entry)) continue
    folds.push(folded(entry))
    const account = cut.account(entry)
    const isMissing = misses(head, account)
    const inFlight = isInFlight(platform, head)
    const hasMoved = head.revision !== revisions[index]
    // What moved the record while the answer was on its way may be newer than the answer.
    const isOutdated = hasMoved && settledAt(platform, head) > cut.slot
    if (!isOutdated && !(isMissing && inFlight)) noteAnswer(entry, isMissing, cut.slot)
    if (!isOutdated && isMissing && !inFlight) missing.push(entry)
    if (isMissing && patient) {
      if (isOutdated || inFlight) undecided.push(entry)
      continue
    }
    const comparison = cut.compare(entry)
    if (comparison === null) undecided.push(entry)
    const isQuiet = !hasMoved && comparison?.isSettled === true && !isMoving(platform, head)
    const states = isOutdated ? [] : differences(platform, head, account, cut.slot, isQuiet)
    const facts: readonly Fact[] = [...states, ...(comparison === null ? [] : balanceFacts(head, account, comparison.ahead))]
    if (facts.length > 0) folds.push(fold(platform, entry, facts, cut.slot))
    changed ||= facts.length > 0
    if (comparison?.isSettled === false) platform.engine.noticed(entry)
  }
  await Promise.all(folds)
  return { changed, undecided, missing, slot: cut.slot }
}

/** Looks at records that a fact left below zero, that are known to differ, or that could not be compared. At most `most`. */
export async function reconcileNoticed(platform: Platform, most: number): Promise<void> {
  const { outOfBalance } = platform.engine
  const ready = [...outOfBalance].filter(({ head }) => isHolding(head) && head.value !== 'pending').slice(0, most)
  for (const entry of ready) outOfBalance.delete(entry)
  for (const cluster of new Set(ready.map(({ head }) => head.cluster))) {
    const entries = ready.filter(({ head }) => head.cluster === cluster)
    const heads = entries.map(({ head }) => head)
    try {
      const { undecided } = await reconcile(platform, cluster, heads, { patient: true })
      for (const entry of undecided) outOfBalance.add(entry)
    } catch (error) {
      for (const entry of entries) outOfBalance.add(entry)
      throw error
    }
  }
}
