// Reads the payments of a payment request from the chain. A payment is the amount by which a transaction with the
// reference key increased the balance of the receiving account, as the chain recorded it. The instructions of the
// transaction do not count. What a transaction with several reference keys pays into one account is divided between
// their requests, so that no amount counts twice.
import type { Payment, PaymentRequestContext } from '../../../machines/payment-request.ts'
import { paymentReferenceKey } from '../../engine/index/payment-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { RpcError, TransportError } from '../../rpc/rpc-error.ts'
import type { PlatformCluster, Platform } from '../context/platform.ts'

/** Time for which an ended request is still watched for late payments. */
const WATCHED_AFTER_END_MS = 86_400_000

/** Code of a node's answer: the transaction is of a later version than the request asks for. */
const UNSUPPORTED_VERSION = -32015

type Request = RecordState<'paymentRequest'>
type Amounts = Map<string, Pick<Payment, 'amount' | 'at'>>

export interface Look {
  /**
   * Amounts read before, by signature and slot: a transaction is read once, and again if its fork is dropped and it
   * lands in another block, whose time decides whether it is late.
   */
  readonly known: Amounts
  /** Called for a transaction that is passed over, because it cannot be read. */
  readonly onUnreadable: (signature: string, error: Error) => void
}

/**
 * Anybody can send a transaction with the reference key, which is public. One that cannot be read is passed over, so
 * that it hides no payment and holds up no expiry. Throws RpcError or TransportError.
 */
export async function lookAtChain(platform: Platform, entry: Entry, look: Look): Promise<void> {
  const request = ofKind(entry.head, 'paymentRequest')
  const cluster = request === undefined ? undefined : platform.clusters.get(request.cluster)
  if (request === undefined || cluster === undefined) return
  const { context } = request
  const history = (await cluster.historyOf(context.reference)).filter(({ failed }) => !failed)
  const payments: Payment[] = []
  for (const { signature, slot, final } of history) {
    const key = `${signature} ${slot}`
    const recorded = context.payments.find((payment) => payment.signature === signature)
    const paid =
      look.known.get(key) ??
      // What was recorded of this block stays, also when another request of the transaction is no longer in memory.
      (recorded?.slot === slot ? { amount: recorded.amount, at: recorded.at } : null) ??
      (await readAmount(platform, cluster, request, { signature, look }))
    if (paid === null) {
      if (recorded !== undefined) payments.push(recorded)
      continue
    }
    look.known.set(key, paid)
    if (BigInt(paid.amount) > 0n) payments.push({ signature, slot, final, ...paid, late: isLate(context, paid.at) })
  }
  payments.push(...(await unlistedPayments(cluster, context, new Set(history.map(({ signature }) => signature)))))
  payments.sort((a, b) => a.slot - b.slot || (a.signature < b.signature ? -1 : 1))
  await record(platform, entry, payments)
}

/**
 * Recorded payments that the answer lacks. They are kept because the node may lag, until the chain is final beyond the
 * slot of a payment that is not final.
 */
async function unlistedPayments(
  cluster: PlatformCluster,
  { payments, reference }: PaymentRequestContext,
  listed: ReadonlySet<string>,
): Promise<Payment[]> {
  const missing = payments.filter(({ signature }) => !listed.has(signature))
  if (missing.length === 0) return []
  const { slot: finalSlot } = await cluster.finalizedAccounts([reference])
  return missing.filter(({ final, slot }) => final || slot > finalSlot)
}

/** null: the node does not know the transaction yet, or it cannot be read. */
async function readAmount(
  platform: Platform,
  cluster: PlatformCluster,
  request: Request,
  { signature, look }: { readonly signature: string; readonly look: Look },
) {
  try {
    return await amountOf(platform, cluster, request, signature)
  } catch (error) {
    const isOfTransaction =
      (error instanceof RpcError && error.code === UNSUPPORTED_VERSION) ||
      (error instanceof TransportError && error.fault === 'MALFORMED')
    if (!isOfTransaction) throw error
    look.onUnreadable(signature, error)
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
  return { amount: shareOf(requestsNamed(platform, request, keys), reference, increase).toString(), at }
}

/** The requests among these keys that ask for the same asset at the same account, in the order of the keys. */
function requestsNamed(
  { engine }: Platform,
  { tenant, cluster, context: { account, mint } }: Request,
  keys: readonly string[],
): readonly PaymentRequestContext[] {
  return keys
    .flatMap((key) => engine.directory.find(paymentReferenceKey(cluster, key)))
    .map(({ head }) => ofKind(head, 'paymentRequest'))
    .filter((other) => other !== undefined)
    .filter((other) => other.tenant === tenant && other.context.account === account)
    .map(({ context }) => context)
    .filter((other) => other.mint?.address === mint?.address)
}

/** Each request takes what it asks for while it lasts; the last one takes the rest. */
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

async function record(platform: Platform, entry: Entry, payments: readonly Payment[]): Promise<void> {
  const request = ofKind(entry.head, 'paymentRequest')
  if (request?.context.watched !== true) return
  const { context } = request
  const now = platform.clock.now()
  const at = new Date(now).toISOString()
  const expires = context.expiresAt !== null && !context.isExpired && Date.parse(context.expiresAt) <= now
  const isNew = JSON.stringify(payments) !== JSON.stringify(context.payments)
  const isOver =
    context.endedAt !== null &&
    now - Date.parse(context.endedAt) > WATCHED_AFTER_END_MS &&
    payments.every(({ final }) => final)
  if (!expires && !isNew && !isOver) return
  const { durable } = platform.engine.transact((unit) => {
    if (isNew) unit.send<'paymentRequest'>(entry, { type: 'chain.payments', payments, at })
    if (expires) unit.send<'paymentRequest'>(entry, { type: 'clock.expired', at })
    if (isOver) unit.send<'paymentRequest'>(entry, { type: 'clock.closed' })
  })
  await durable
}
