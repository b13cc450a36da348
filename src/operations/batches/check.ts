// Checks all items of a batch before the first is made: runs the operation of each item up to the signature, together
// with the items that would share its transaction, and rolls it back. Then evaluates balances and debit limits for the
// whole batch.
import type { ApprovalEntry } from '../../../machines/approval.ts'
import type { BatchOperation } from '../../../machines/batch.ts'
import { available } from '../../../machines/book.ts'
import type { Book } from '../../../machines/holding.ts'
import type { Asset } from '../../../machines/protocol.ts'
import { isHolding, ofKind } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Review } from '../authorization/destinations/policy.ts'
import type { Verdict } from '../authorization/limits/assess.ts'
import { policiesOfMessage } from '../authorization/policies/covering.ts'
import { checkRoom } from '../authorization/supply-cap.ts'
import type { OperationFailure } from '../context/as-refusal.ts'
import type { Context } from '../context/platform.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { type Problem, Refusal } from '../../contract/refusal.ts'
import type { DryRunFindings } from '../transactions/dry-run.ts'
import type { ItemToMake } from './input.ts'
import { OPERATIONS } from './operations.ts'
import { makePack, type ItemResult, type PackRequest } from './pack.ts'
import { TakenNames } from './taken.ts'

/** Maximum number of items that are tried in one transaction; usually fewer fit. */
export const MAX_PACKED = 32
/** Maximum number of problems in one answer. */
const MAX_PROBLEMS = 1_000
const NO_TRANSACTION = 'DRY_RUN_WITHOUT_TRANSACTION'

type Take = NonNullable<PackRequest<ItemToMake>['take']>

export interface BatchRequest {
  readonly operation: BatchOperation
  readonly config: ChainTransactionConfig | undefined
  readonly items: readonly ItemToMake[]
}

export interface CheckedBatch {
  readonly findings: readonly DryRunFindings[]
  /** Verdicts of the debit limits on the whole batch. */
  readonly verdicts: readonly Verdict[]
  /** Approvals that policies require for all items together. */
  readonly policies: readonly ApprovalEntry[]
  /** Payments to counterparties under review, each counterparty and address once. */
  readonly reviews: readonly Review[]
  /** Intents by index of the item in the request; absent: the item needs no transaction. */
  readonly intents: ReadonlyMap<number, string>
}

/** Throws a Refusal with the problems of all items, or with the problem of the batch as a whole. */
export async function checkBatch(context: Context, { operation, config, items }: BatchRequest): Promise<CheckedBatch> {
  const { platform, call } = context
  const dry: Call = { ...call, dryRun: true, idempotency: null }
  const { write, once = false } = OPERATIONS[operation]
  const isSwitch = operation === 'FREEZE' || operation === 'UNFREEZE'
  const findings: DryRunFindings[] = []
  const refusals: Refusal[] = []
  const intents = new Map<number, string>()
  const names = new TakenNames()
  const take: Take = ({ index }, name, taken) => names.note(index, name, taken)
  const request = { write, config, isSwitch, ...(once ? { take } : {}), begin: () => true }
  // Dry runs wait for nothing outside: without it, a large batch is one turn of the event loop.
  const pacer = platform.engine.pacer()
  let size = MAX_PACKED
  let problems = 0
  for (let from = 0; from < items.length && problems < MAX_PROBLEMS;) {
    if (pacer.isDue) await pacer.rest()
    const next = items.slice(from, from + size)
    from += next.length
    const pack = await makePack({ platform, call: dry }, { ...request, items: next })
    findings.push(...pack.findings)
    const taken = names.refusals()
    const refused = pack.made.flatMap((made) => refusalOf(made, taken.get(made.item.index)))
    refusals.push(...refused)
    problems += refused.flatMap((refusal) => refusal.problems.filter(({ pointer }) => !isOfConfig(pointer))).length
    for (const made of pack.made) if (made.ok && made.intent !== undefined) intents.set(made.item.index, made.intent)
    size = pack.fit ?? size
  }
  if (refusals.length > 0) throw ofAllItems(refusals)
  await checkBalances(context, findings)
  checkSupplies(context, findings)
  return {
    findings,
    verdicts: overAll(findings),
    policies: policiesOverAll(findings),
    reviews: reviewsOverAll(findings),
    intents,
  }
}

/** @param taken refusal of an item that is made only without an earlier one */
function refusalOf({ item, ...made }: ItemResult<ItemToMake>, taken: Refusal | undefined): Refusal[] {
  const refusal = (made.ok ? undefined : refusalAlone(made.failure)) ?? taken
  if (refusal === undefined) return []
  const problems = refusal.problems.map((problem) => ({ ...problem, pointer: pointerOf(item.index, problem.pointer) }))
  return [new Refusal(refusal.status, problems, refusal.retryAfterSeconds)]
}

/** undefined: the item is refused only because a dry run needs a transaction, which an item does not. */
function refusalAlone({ refusal, error }: OperationFailure): Refusal | undefined {
  if (refusal === null) throw error
  return refusal.problems.some(({ code }) => code === NO_TRANSACTION) ? undefined : refusal
}

/** Converts a pointer into the body of a single request to a pointer into the batch. */
function pointerOf(index: number, pointer = ''): string {
  if (isOfConfig(pointer)) return pointer
  return `/itemData/items/${index}${pointer.replace(/^\/itemData/, '')}`
}

const isOfConfig = (pointer = ''): boolean => pointer.startsWith('/chainTransactionConfig')

/** Removes duplicate problems of the configuration, which all items share. */
function onceOfConfig(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = ({ code, pointer }: Problem): string => `${code} ${pointer}`
  const first = new Map(problems.toReversed().map((problem) => [keyOf(problem), problem]))
  return problems.filter((problem) => !isOfConfig(problem.pointer) || first.get(keyOf(problem)) === problem)
}

/**
 * Statuses that a batch takes over if all its items are refused with the same one; a batch is never refused with 404 or
 * 409.
 */
const SHARED_STATUSES: ReadonlySet<number> = new Set([403, 503])

/**
 * Combines the refusals of all items. If all of them have the same shared status, so has the result: a client can then
 * tell a forbidden batch from one to be retried.
 */
function ofAllItems(refusals: readonly Refusal[]): Refusal {
  const [{ status, retryAfterSeconds }] = refusals as readonly [Refusal]
  const isShared = SHARED_STATUSES.has(status) && refusals.every((each) => each.status === status)
  const problems = onceOfConfig(refusals.flatMap((each) => each.problems)).slice(0, MAX_PROBLEMS)
  return isShared ? new Refusal(status, problems, retryAfterSeconds) : new Refusal(400, problems)
}

interface Demand {
  readonly record: string
  readonly asset: Asset
  readonly amount: bigint
}

/**
 * Amounts that the batch itself credits do not count, because its items have no order on chain. Throws 400
 * `INSUFFICIENT_BALANCE`.
 */
async function checkBalances({ platform, call }: Context, findings: readonly DryRunFindings[]): Promise<void> {
  const { directory } = platform.engine
  const findShortfalls = (): Demand[] =>
    demandsOf(findings).filter((demand) => {
      const head = directory.resident(demand.record)?.head
      const book =
        head !== undefined && isHolding(head) ? (head.context as Partial<Record<Asset, Book>>)[demand.asset] : undefined
      return book !== undefined && available(book) < demand.amount
    })
  const shortfalls = findShortfalls()
  if (shortfalls.length === 0) return
  const heads = shortfalls.flatMap(({ record }) => directory.resident(record)?.head ?? []).filter(isHolding)
  // Deposits that are not on record yet count, so these records are first compared with the chain.
  const { undecided } = await reconcile(platform, call.cluster, heads)
  const remaining = findShortfalls()
  if (remaining.length === 0) return
  throw new Refusal(
    400,
    remaining.map(({ record, asset, amount }) => ({
      code: 'INSUFFICIENT_BALANCE',
      message: `the batch takes ${amount} raw units (${asset}) of record ${record}, which are not available`,
      pointer: '/itemData/items',
      retryable: undecided.length > 0,
    })),
  )
}

/**
 * Each transaction was checked alone; this checks the sum of all of them. Any tenant can record the mint with a limit:
 * only those of the caller's tenant count. Throws 400 `SUPPLY_CAP_EXCEEDED`.
 */
function checkSupplies({ platform, call }: Context, findings: readonly DryRunFindings[]): void {
  const { directory } = platform.engine
  const minted = new Map<string, bigint>()
  const own = findings.flatMap(({ entries }) => entries).filter(({ tenant }) => tenant === call.tenant)
  for (const { record, movements } of own) {
    for (const { asset, credited } of movements) {
      if (asset === 'supply') minted.set(record, (minted.get(record) ?? 0n) + BigInt(credited))
    }
  }
  for (const [record, amount] of minted) {
    const instrument = ofKind(directory.resident(record)?.head, 'instrument')
    if (instrument !== undefined && amount > 0n)
      checkRoom(platform.engine, instrument, amount, { transactionId: '', pointer: '/itemData/items' })
  }
}

function demandsOf(findings: readonly DryRunFindings[]): Demand[] {
  const sums = new Map<string, Demand>()
  for (const { entries, covered } of findings) {
    if (!covered) continue
    for (const { record, movements } of entries) {
      for (const { asset, released } of movements) {
        const key = `${record} ${asset}`
        sums.set(key, { record, asset, amount: (sums.get(key)?.amount ?? 0n) + BigInt(released) })
      }
    }
  }
  return [...sums.values()].filter(({ amount }) => amount > 0n)
}

/** A policy with a threshold is evaluated on all items together. */
function policiesOverAll(findings: readonly DryRunFindings[]): ApprovalEntry[] {
  const [first] = findings
  return first === undefined
    ? []
    : policiesOfMessage({ ...first.inputs, effects: findings.flatMap(({ inputs: deps }) => deps.effects) })
}

function reviewsOverAll(findings: readonly DryRunFindings[]): Review[] {
  const each = findings
    .flatMap(({ reviews }) => reviews)
    .map((review) => [`${review.organization} ${review.address} ${review.counterparty.id}`, review] as const)
  return [...new Map(each).values()]
}

/** The verdict on each limit once, for the debits of the whole batch. */
function overAll(findings: readonly DryRunFindings[]): Verdict[] {
  const whole = new Map<string, Verdict>()
  for (const verdict of findings.flatMap(({ verdicts }) => verdicts)) {
    const { account, limit, mint, allowed } = verdict
    const key = `${account.id} ${mint ?? ''} ${JSON.stringify(limit)}`
    const debit = (whole.get(key)?.debit ?? 0n) + verdict.debit
    whole.set(key, { ...verdict, debit, exceeded: allowed !== null && verdict.used + debit > allowed })
  }
  return [...whole.values()]
}
