// Reads the payments of a payment request from the chain. A payment is the amount by which a transaction with the
// reference key increased the balance of the receiving account, as the chain recorded it. The instructions of the
// transaction do not count. What a transaction with several reference keys pays into one account is divided between
// their requests, so that no amount counts twice.
import type { Payment, PaymentRequestContext } from '../../../machines/payment-request.ts'
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { CLOCK_SYSVAR } from '../../solana/address.ts'
import { clockSeconds } from '../../solana/sysvars.ts'
import { MAX_HISTORY, type SignatureEntry } from '../../rpc/movements.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import type { PlatformCluster, Platform } from '../context/platform.ts'

/** Time for which an ended request is still watched for late payments. */
const WATCHED_AFTER_END_MS = 86_400_000

/** Code of a node's answer: the transaction is of a later version than the request asks for. */
const UNSUPPORTED_VERSION = -32015

/**
 * Transactions that one poll reads. Anybody can send any number of them with the reference key: the others are read by
 * the next polls, oldest first, so that one request does not hold up the polls of others.
 */
const MAX_READS = 100
/** Of those that could not be read before. */
const MAX_REPEATED_READS = 20
/** Final transactions that could not be read and are tried again. Beyond them, some are given up. */
const MAX_UNREADABLE = 200

/**
 * Payments that a record lists, whatever their amount. Beyond them only those of a thousandth of the requested amount
 * are listed: thousands of payments of one lamport would otherwise make the record as large as their sender likes.
 */
const MAX_SMALL_PAYMENTS = 200
const SMALL_SHARE = 1_000n

type Request = RecordState<'paymentRequest'>
type Amounts = Map<string, Pick<Payment, 'amount' | 'at'>>

/** The data that the polls of one request have read. */
export interface PollProgress {
  /**
   * Amounts read before, by signature and slot: a transaction is read once, and again if its fork is dropped and it
   * lands in another block, whose time decides whether it is late.
   */
  readonly known: Amounts
  /**
   * Could not be read, by signature and slot; first the one that was tried longest ago. Those that were not tried are
   * read before them. The final ones are tried without being listed again.
   */
  readonly unreadable: Map<string, SignatureEntry>
  /** Everything up to this transaction is final, and is recorded or among the unreadable; null: nothing is. */
  through: SignatureEntry | null
  /** True if transactions that the last poll found, or did not reach, are still to be read. */
  isBehind: boolean
}

export const noProgress = (): PollProgress => ({
  known: new Map(),
  unreadable: new Map(),
  through: null,
  isBehind: false,
})

export interface Poll {
  readonly progress: PollProgress
  /** Called for a transaction that is passed over, because it cannot be read. */
  readonly onUnreadable: (signature: string, error: Error) => void
}

/**
 * Anybody can send a transaction with the reference key, which is public. One that cannot be read is passed over, so
 * that it hides no payment and holds up no expiry. Throws RpcError or TransportError.
 */
export async function pollChain(platform: Platform, entry: Entry, poll: Poll): Promise<void> {
  const request = ofKind(entry.head, 'paymentRequest')
  const cluster = request === undefined ? undefined : platform.clusters.get(request.cluster)
  if (request === undefined || cluster === undefined) return
  const { progress } = poll
  const { through } = progress
  const { reference, payments: recorded } = request.context
  // Read before the history: a node that has reached this slot lists every transaction up to it that has landed.
  const isNeeded = recorded.some(({ final }) => !final) || isDue(platform, request.context)
  const { slot: finalSlot, seenMs } = isNeeded ? await finalTime(cluster) : { slot: 0, seenMs: 0 }
  const listed = await cluster.historyOf(reference, { until: through?.signature, minSlot: finalSlot })
  // A node that lags does not know the last transaction that was read, and lists all before it.
  const later = listed.filter(({ slot }) => through === null || slot >= through.slot).toReversed()
  const again = unreadBefore(progress, later)
  const history = [...again, ...later]
  const isWhole = listed.length < MAX_HISTORY
  const isBehind = (await readNew(platform, cluster, request, { history, poll })) || !isWhole
  const { context } = request
  const reach = isWhole ? Infinity : (later.at(-1)?.slot ?? 0)
  const payments = [
    ...listedPayments(context, history, progress),
    ...(await unlistedPayments(cluster, context, history, { reach, finalSlot })),
  ]
  payments.sort((a, b) => a.slot - b.slot || (a.signature < b.signature ? -1 : 1))
  progress.isBehind = isBehind
  await record(platform, entry, withoutDust(context, payments), { isBehind, seenMs })
  for (const each of again) progress.known.delete(keyOf(each))
  advance(progress, later)
  forgetUnreadable(progress, later)
}

/** Transactions that could not be read, and are not listed any more. */
function unreadBefore({ unreadable }: PollProgress, listed: readonly SignatureEntry[]): readonly SignatureEntry[] {
  const keys = new Set(listed.map(keyOf))
  return [...unreadable.values()].filter((each) => each.final && !keys.has(keyOf(each)))
}

/** Reads the oldest transactions that are not known. True if there are more. */
async function readNew(
  platform: Platform,
  cluster: PlatformCluster,
  request: Request,
  { history, poll }: { readonly history: readonly SignatureEntry[]; readonly poll: Poll },
): Promise<boolean> {
  const { known, unreadable } = poll.progress
  // Keeps the recorded payments of a block, even if another request of the transaction is no longer in memory.
  for (const payment of request.context.payments) {
    const { amount, at } = payment
    if (!known.has(keyOf(payment))) known.set(keyOf(payment), { amount, at })
  }
  const unread = new Map(history.map((each) => [keyOf(each), each]))
  for (const [key, { failed }] of unread) if (failed || known.has(key)) unread.delete(key)
  const untried = [...unread].flatMap(([key, each]) => (unreadable.has(key) ? [] : each))
  const tried = [...unreadable.keys()].flatMap((key) => unread.get(key) ?? [])
  for (const each of [...untried.slice(0, MAX_READS), ...tried.slice(0, MAX_REPEATED_READS)]) {
    const paid = await readAmount(platform, cluster, request, { signature: each.signature, poll })
    unreadable.delete(keyOf(each))
    if (paid === null) unreadable.set(keyOf(each), each)
    else known.set(keyOf(each), paid)
  }
  return untried.length > MAX_READS
}

/** The payments in the history. For a transaction that was not read, the recorded payments. */
function listedPayments(
  context: PaymentRequestContext,
  history: readonly SignatureEntry[],
  { known }: PollProgress,
): readonly Payment[] {
  return history.flatMap((each) => {
    const { signature, slot, final, failed } = each
    const paid = failed ? undefined : known.get(keyOf(each))
    if (paid === undefined) return failed ? [] : context.payments.filter((payment) => payment.signature === signature)
    return BigInt(paid.amount) > 0n ? [{ signature, slot, final, ...paid, late: isLate(context, paid.at) }] : []
  })
}

/** @param payments oldest first */
function withoutDust({ payments: recorded, amount }: PaymentRequestContext, payments: readonly Payment[]): Payment[] {
  const kept = new Set(recorded.map(({ signature }) => signature))
  return payments.filter((payment) => {
    const isSmall = BigInt(payment.amount) * SMALL_SHARE < BigInt(amount)
    if (isSmall && kept.size >= MAX_SMALL_PAYMENTS && !kept.has(payment.signature)) return false
    kept.add(payment.signature)
    return true
  })
}

/** Final signatures that were read, or cannot be read, need not be listed again. */
function advance(progress: PollProgress, listed: readonly SignatureEntry[]): void {
  const { known, unreadable } = progress
  for (const each of listed) {
    const key = keyOf(each)
    if (!each.final || !(each.failed || known.has(key) || unreadable.has(key))) return
    progress.through = each
    known.delete(key)
    if (unreadable.has(key)) unreadable.set(key, each)
  }
}

/** Those of forks that were dropped, and final ones beyond the bound: what no node can read would be kept for ever. */
function forgetUnreadable({ unreadable }: PollProgress, listed: readonly SignatureEntry[]): void {
  const keys = new Set(listed.map(keyOf))
  const passed: string[] = []
  for (const [key, { final }] of unreadable) {
    if (final) passed.push(key)
    else if (!keys.has(key)) unreadable.delete(key)
  }
  for (const key of passed.slice(0, -MAX_UNREADABLE)) unreadable.delete(key)
}

const keyOf = ({ signature, slot }: Pick<SignatureEntry, 'signature' | 'slot'>): string => `${signature} ${slot}`

/**
 * Recorded payments that the history lacks. One that is not final was dropped with its fork if the history was read
 * beyond its slot, the chain is final beyond it, and no block has the transaction.
 *
 * @param finalSlot from before the history was read
 */
async function unlistedPayments(
  cluster: PlatformCluster,
  { payments }: PaymentRequestContext,
  history: readonly SignatureEntry[],
  { reach, finalSlot }: { readonly reach: number; readonly finalSlot: number },
): Promise<Payment[]> {
  const listed = new Map(history.map(({ signature, failed }) => [signature, failed]))
  const kept: Payment[] = []
  for (const payment of payments) {
    const { signature, final, slot } = payment
    const failed = listed.get(signature)
    if (failed === false) continue
    const mayLand = final || slot > finalSlot || slot >= reach
    if (mayLand || (failed === undefined && (await cluster.movementOf(signature)) !== null)) kept.push(payment)
  }
  return kept
}

/** null: the node does not know the transaction yet, or it cannot be read. */
async function readAmount(
  platform: Platform,
  cluster: PlatformCluster,
  request: Request,
  { signature, poll }: { readonly signature: string; readonly poll: Poll },
) {
  try {
    return await amountOf(platform, cluster, request, signature)
  } catch (error) {
    const isOfTransaction =
      (error instanceof RpcError && error.code === UNSUPPORTED_VERSION) ||
      (error instanceof TransportError && error.fault === 'MALFORMED')
    if (!isOfTransaction) throw error
    poll.onUnreadable(signature, error)
    return null
  }
}

/** null: the node does not know the transaction yet. */
async function amountOf(platform: Platform, cluster: PlatformCluster, request: Request, signature: string) {
  const movement = await cluster.movementOf(signature)
  if (movement === null) return null
  const { account, mint, reference } = request.context
  const { keys, lamports, tokens, blockTime } = movement
  const at = new Date(blockTime === null ? platform.clock.now() : blockTime * 1_000).toISOString()
  if (!keys.includes(reference)) return { amount: '0', at }
  const increase =
    mint === null
      ? (lamports[keys.indexOf(account)] ?? 0n)
      : (tokens.find((token) => token.account === account && token.mint === mint.address)?.amount ?? 0n)
  if (increase <= 0n) return { amount: '0', at }
  const named = await atHand(platform.engine, () => requestsNamed(platform, request, keys))
  return { amount: shareOf(named, reference, increase).toString(), at }
}

/**
 * The requests among these keys that ask for the same asset at the same account, in the order of the keys. Those that
 * are no longer in memory are included, so that the division is the same whenever it is computed.
 */
function requestsNamed(
  { engine }: Platform,
  { tenant, cluster, context: { account, mint } }: Request,
  keys: readonly string[],
): readonly PaymentRequestContext[] {
  return onEach(keys, (key) => engine.directory.byPaymentReference(cluster, key))
    .map((entry) => ofKind(entry?.head, 'paymentRequest'))
    .filter((other) => other !== undefined)
    .filter((other) => other.tenant === tenant && other.context.account === account)
    .map(({ context }) => context)
    .filter((other) => other.mint?.address === mint?.address)
}

/** Each request takes its requested amount while the payment suffices; the last one takes the rest. */
function shareOf(requests: readonly PaymentRequestContext[], reference: string, increase: bigint): bigint {
  let rest = increase
  for (const [index, { reference: each, amount }] of requests.entries()) {
    const share = index === requests.length - 1 || rest < BigInt(amount) ? rest : BigInt(amount)
    if (each === reference) return share
    rest -= share
  }
  return 0n
}

/** Compares the time of the block, which has a resolution of one second. */
function isLate({ expiresAt, cancelledAt }: PaymentRequestContext, at: string): boolean {
  return [expiresAt, cancelledAt].some((end) => end !== null && Date.parse(at) > Date.parse(end))
}

/** A finalized slot, and its time by the clock of the chain; -Infinity: the chain does not show it. */
async function finalTime(cluster: PlatformCluster): Promise<{ readonly slot: number; readonly seenMs: number }> {
  const { slot, accounts } = await cluster.finalizedAccounts([CLOCK_SYSVAR])
  const clock = accounts[0] ?? null
  return { slot, seenMs: clock === null ? -Infinity : Number(clockSeconds(clock.data)) * 1_000 }
}

function isDue({ clock }: Platform, { expiresAt, isExpired }: PaymentRequestContext): boolean {
  return expiresAt !== null && !isExpired && Date.parse(expiresAt) <= clock.now()
}

/**
 * A request does not expire while the found transactions may still contain a payment in time, or while the history was
 * not read up to a block later than the expiry.
 *
 * @param seenMs time of a block up to which the history was read
 */
async function record(
  platform: Platform,
  entry: Entry,
  payments: readonly Payment[],
  { isBehind, seenMs }: { readonly isBehind: boolean; readonly seenMs: number },
): Promise<void> {
  const request = ofKind(entry.head, 'paymentRequest')
  if (request?.context.watched !== true) return
  const { context } = request
  const now = platform.clock.now()
  const at = new Date(now).toISOString()
  const expires = isDue(platform, context) && !isBehind && seenMs > Date.parse(context.expiresAt ?? '')
  const isNew = JSON.stringify(payments) !== JSON.stringify(context.payments)
  const isOver =
    context.endedAt !== null &&
    now - Date.parse(context.endedAt) > WATCHED_AFTER_END_MS &&
    payments.every(({ final }) => final) &&
    !isBehind
  if (!expires && !isNew && !isOver) return
  const { durable } = platform.engine.transact((unit) => {
    if (isNew) unit.send<'paymentRequest'>(entry, { type: 'chain.payments', payments, at })
    if (expires) unit.send<'paymentRequest'>(entry, { type: 'clock.expired', at })
    if (isOver) unit.send<'paymentRequest'>(entry, { type: 'clock.closed' })
  })
  await durable
}
