// Brings records up to what the chain says. Money that came in from outside is known this way; while a transaction of ours is open the
// difference cannot be told from its effect, and the balances stay. Owner, authorities, state and existence are compared all the same, or a
// transaction that waits would keep a record as it was for as long as somebody likes.
import { CommandRejected } from '../engine/unit-of-work.ts'
import type { Entry } from '../engine/entry.ts'
import { isHolding, type RecordState } from '../engine/record.ts'
import { differences, type Fact } from './onchain/differences.ts'
import { fold, folded } from './onchain/fold.ts'
import { misses, noteAnswer, settleMissing } from './onchain/missing.ts'
import { isInFlight, isMoving, openTouches, settledAt } from './onchain/moving.ts'
import type { ClusterAccess, Platform } from './platform.ts'

export interface Looking {
  /** The answer must not be older than this; default: than anything in the books. */
  readonly leastSlot?: number
  /** What an answer does not show counts only once it is finalized. For whoever has time: a node may be wrong. */
  readonly patient?: boolean
}

/**
 * Reads the records' accounts at `confirmed` and folds differences in, durably. True if any book changed. Rejects with RpcError or
 * TransportError.
 */
export async function reconcile(
  platform: Platform,
  cluster: string,
  records: readonly RecordState[],
  { leastSlot = 0, patient = false }: Looking = {},
): Promise<boolean> {
  const holdings = records.filter(isHolding).filter(({ value }) => value !== 'closed' && value !== 'pending')
  const access = platform.clusters.get(cluster)
  if (holdings.length === 0 || access === undefined) return false
  const { directory } = platform.engine
  const revisions = holdings.map(({ id }) => directory.byId(id)?.head.revision)
  const settledSlot = Math.max(leastSlot, ...holdings.map((holding) => settledAt(platform, holding)))
  // An older answer than that would take back what has been settled.
  const { slot, accounts } = await access.accountsAsOf(
    holdings.map(({ context }) => context.address),
    settledSlot,
  )
  const folds: Promise<void>[] = []
  const missing: Entry[] = []
  const differing: Differing[] = []
  let changed = false
  for (const [index, { id }] of holdings.entries()) {
    const entry = directory.byId(id)
    if (entry === undefined || !isHolding(entry.head)) continue
    folds.push(folded(entry))
    // A record that moved while the answer was on its way is judged another time, unless the answer is at least as new as what moved it.
    const hasMoved = entry.head.revision !== revisions[index]
    if (hasMoved && settledAt(platform, entry.head) > slot) continue
    const account = accounts[index] ?? null
    const isMissing = misses(entry.head, account)
    if (!isMissing || !isInFlight(platform, entry.head)) noteAnswer(entry, isMissing, slot)
    if (isMissing && !isInFlight(platform, entry.head)) missing.push(entry)
    if (isMissing && patient) continue
    const { states, balances } = differences(platform, entry.head, account, slot, !hasMoved && !isMoving(platform, entry.head))
    if (states.length > 0) folds.push(fold(platform, entry, states, slot))
    if (balances.length > 0) differing.push({ entry, facts: balances, revision: entry.head.revision })
    changed ||= states.length > 0
  }
  const sure = await ofThisFork(platform, access, differing, slot)
  for (const { entry, facts } of sure) folds.push(fold(platform, entry, facts, slot))
  changed ||= sure.length > 0
  await Promise.all(folds)
  if (missing.length > 0) for (const entry of await settleMissing(platform, cluster, missing)) platform.engine.noticed(entry)
  return changed
}

interface Differing {
  readonly entry: Entry
  readonly facts: readonly Fact[]
  readonly revision: number
}

/**
 * Those whose balances differ by nobody's doing but outsiders'. When the fork dies that a transaction in the books stood on, the chain shows it before
 * we are told, and what is taken back then would be counted twice: of what is not final the chain is asked whether it still stands there.
 */
async function ofThisFork(
  platform: Platform,
  access: ClusterAccess,
  differing: readonly Differing[],
  slot: number,
): Promise<readonly Differing[]> {
  const stands = async ({ entry }: Differing): Promise<boolean> => {
    const touches = isHolding(entry.head) ? openTouches(platform, entry.head) : []
    const found = await Promise.all(
      touches.map(async ({ context: { signature } }) => (signature === null ? null : await access.landed(signature))),
    )
    return found.every((landed) => landed !== null && landed.slot <= slot)
  }
  const all = await Promise.all(differing.map(stands))
  return differing.filter(({ entry, revision }, index) => {
    const { head } = entry
    if (all[index] === true && head.revision === revision && isHolding(head) && !isMoving(platform, head)) return true
    platform.engine.noticed(entry)
    return false
  })
}

/**
 * Runs an attempt, and once more when it was refused for lack of funds that the chain turns out to have: what came in from outside is
 * learned this way.
 */
export async function withKnownFunds<T>(platform: Platform, cluster: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const short = error instanceof CommandRejected && error.rejection.code === 'INSUFFICIENT_BALANCE'
    if (short && (await reconcile(platform, cluster, [error.record]))) return await withKnownFunds(platform, cluster, attempt)
    throw error
  }
}

/** Looks at records that a fact left below zero, or that are known to differ, once nothing of theirs is under way. At most `most`. */
export async function reconcileNoticed(platform: Platform, most: number): Promise<void> {
  const { outOfBalance } = platform.engine
  const ready = [...outOfBalance].filter(({ head }) => isHolding(head) && !isMoving(platform, head)).slice(0, most)
  for (const entry of ready) outOfBalance.delete(entry)
  for (const cluster of new Set(ready.map(({ head }) => head.cluster))) {
    const entries = ready.filter(({ head }) => head.cluster === cluster)
    const revisions = entries.map(({ head }) => head.revision)
    try {
      await reconcile(
        platform,
        cluster,
        entries.map(({ head }) => head),
        { patient: true },
      )
    } catch (error) {
      for (const entry of entries) outOfBalance.add(entry)
      throw error
    }
    // What moved meanwhile was not judged: it is looked at once more.
    entries.forEach((entry, index) => {
      if (entry.head.revision !== revisions[index]) outOfBalance.add(entry)
    })
  }
}
