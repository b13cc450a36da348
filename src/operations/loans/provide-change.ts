// A loan change whose transactions a lending provider makes. The change is planned and ordered from the provider, and
// the answer is checked from the compiled messages. Then the change is planned again, and the loan, all transactions
// with their signatures, and the plan that sends them in order are one commit. Nothing of an order can happen without
// the signatures of this service, so an answer that is not committed has no effect.
import { isMessageTaken } from '../transactions/unique-message.ts'
import { transactionSize } from '../../solana/message.ts'
import type { ParsedTransaction } from '../../solana/parse.ts'
import type { Step } from '../../solana/step.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { applyLoanChange } from '../../../machines/lending/loan-books.ts'
import { dryOutcome } from '../transactions/dry-run.ts'
import type { Outcome, JsonObject } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import type { Blockhash, PlatformCluster, Platform, Context } from '../context/platform.ts'
import { createPlan, PROVIDED_PURPOSE } from '../transactions/plans/plan-record.ts'
import { operationResult } from '../context/as-refusal.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { badRequest, Refusal } from '../../contract/refusal.ts'
import { foreignBlockhash } from '../transactions/signing/foreign-accounts.ts'
import { resolvedKeys } from '../transactions/signing/foreign-tables.ts'
import type { Draft } from '../transactions/draft.ts'
import { authorizeAndRecord } from '../transactions/authorize-and-record.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'
import { underBlockhash } from '../transactions/lifetime.ts'
import { clusterOf } from '../transactions/transact.ts'
import { bookEntries, checkBorrower, type ChangePlan, type WantedChange } from './change-draft.ts'
import { checkMessage, messageRefused } from './check-message.ts'
import { checkProvided, readProvided, type ProvidedTransaction } from './check-provided.ts'
import { loanParts } from './parts.ts'
import type { LendingProvider, ProviderOrder } from '../../contract/lending.ts'

const PROTOCOL = '/itemData/defiProtocol'

/**
 * Throws 400 `LENDING_PROVIDER_REFUSED`, 403 `LOAN_MESSAGE_REFUSED`, 503 `LENDING_PROVIDER_UNAVAILABLE`, and the
 * refusals of any transaction of this service.
 */
export async function provideChange<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  provider: LendingProvider,
  { operation, buildPlan }: WantedChange<Members>,
): Promise<Outcome<Members>> {
  const { platform, call } = context
  checkConfig(config)
  // The settlement time is fixed while the provider prepares the transactions.
  const at = Math.floor(platform.clock.now() / 1000)
  const order = await runAttempts(platform, call, ({ known }) =>
    Promise.resolve().then(() => orderOf(buildPlan(known, at))),
  )
  const head = { id: platform.ids(), cluster: call.cluster, operation }
  const ordered = () => provider.transactions(order, head)
  const answer = await (platform.outboundShares?.run(call.tenant, 1, ordered) ?? ordered())
  if (!answer.ok) {
    platform.log?.warn(
      { provider: provider.name, orderId: head.id, reason: answer.reason },
      'a lending provider returned no transactions',
    )
    throw unanswered(provider, answer)
  }
  const recorded = await operationResult(
    recordProvided(context, config, provider, { buildPlan, at, wires: answer.transactions }),
  )
  if (recorded.ok) return recorded.result
  const { refusal, error } = recorded
  if (refusal?.problems[0]?.code === 'LOAN_MESSAGE_REFUSED')
    platform.log?.warn(
      { provider: provider.name, orderId: head.id, reason: refusal.message },
      'transactions of a lending provider were refused',
    )
  throw error
}

/** Checks the provider's transactions against the order, then signs and records them. */
async function recordProvided<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  provider: LendingProvider,
  {
    buildPlan,
    at,
    wires,
  }: {
    readonly buildPlan: WantedChange<Members>['buildPlan']
    readonly at: number
    readonly wires: readonly Uint8Array[]
  },
): Promise<Outcome<Members>> {
  const { platform, call } = context
  const cluster = clusterOf(context)
  const transactions = readProvided(wires)
  const loads = await Promise.all(transactions.map((each, index) => loadChange(cluster, each, index)))
  // All attempts use the same ids, so that data loaded for one attempt is found by the next.
  const ids = transactions.map(() => platform.ids())
  const planId = ids.length === 1 ? null : platform.ids()
  return await runAttempts(
    platform,
    call,
    async ({ known, isSimulated }) => {
      const { result, durable } = platform.engine.transact((unit) => {
        // The change must also be valid at current prices.
        buildPlan(known, Math.floor(platform.clock.now() / 1000))
        const plan = buildPlan(known, at)
        const provided = checkTransactions(platform, provider, plan, { transactions, loads })
        const inputs = { cluster, provider, plan, provided, loads, known, isSimulated, ids, planId }
        return keep(context, config, unit, inputs)
      })
      await durable
      return result
    },
    { funds: true },
  )
}

function orderOf({ feePayer, board, before }: ChangePlan): ProviderOrder {
  checkBorrower(feePayer, [before.lender.account.address])
  return { feePayer: feePayer.address, steps: board.built().steps }
}

interface LoadedChange {
  /** Every account of the message, including those from lookup tables. */
  readonly keys: readonly string[]
  readonly blockhash: Blockhash
}

async function loadChange(
  cluster: PlatformCluster,
  { message }: ParsedTransaction,
  index: number,
): Promise<LoadedChange> {
  const [keys, blockhash] = await Promise.all([
    resolvedKeys(cluster, message, '/itemData'),
    foreignBlockhash(cluster, message),
  ])
  if (blockhash === null) throw messageRefused(`transaction ${index} is under a blockhash that is not valid now`)
  return { keys, blockhash }
}

function checkTransactions(
  platform: Platform,
  { programs }: LendingProvider,
  plan: ChangePlan,
  {
    transactions,
    loads,
  }: { readonly transactions: readonly ParsedTransaction[]; readonly loads: readonly LoadedChange[] },
): readonly ProvidedTransaction[] {
  const { feePayer, before } = plan
  const { steps } = plan.board.built()
  const ours = new Set([feePayer.address, ...steps.flatMap(consentsTo)])
  ours.delete(before.lender.account.address)
  const bounds = { ours, programs, maxFeeLamports: platform.limits.maxFeeLamports }
  return checkProvided(
    { feePayer: feePayer.address, steps },
    bounds,
    transactions,
    (_, index) => loads[index]?.keys ?? [],
  )
}

/** The address whose signature a step needs. */
function consentsTo(step: Step): string {
  if (step.kind === 'open') return step.payer
  return step.kind === 'lamports' ? step.from : step.authority
}

interface ProvideChangeInputs<Members extends JsonObject> {
  readonly cluster: PlatformCluster
  readonly provider: LendingProvider
  readonly plan: ChangePlan<Members>
  readonly provided: readonly ProvidedTransaction[]
  readonly loads: readonly LoadedChange[]
  readonly known: KnownAccounts
  readonly isSimulated: boolean
  /** Ids of the transactions, in order. */
  readonly ids: readonly string[]
  readonly planId: string | null
}

/** Records everything in one unit of work. The first transaction is sent; the others are held until their turn. */
function keep<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  unit: UnitOfWork,
  inputs: ProvideChangeInputs<Members>,
): Outcome<Members> {
  const { platform, call } = context
  const { cluster, provider, plan, provided, loads, known, isSimulated, ids, planId } = inputs
  unit.openFor(call.tenant)
  const { prepare } = plan.board.built()
  plan.prepare(unit, ids.at(-1) ?? '', planId)
  prepare(unit)
  const vault = plan.before.lender.account.address
  const parts = loanParts(
    plan.change(),
    { escrow: plan.escrow, vault },
    provided.map(({ steps }) => steps),
  )
  let before = plan.before
  for (const [index, each] of provided.entries()) {
    const [id, part, load] = [ids[index], parts[index], loads[index]]
    if (id === undefined || part === undefined || load === undefined)
      throw new Error('a transaction without its part of the change')
    const { message, keys, hash, fee } = each
    if (isMessageTaken(platform, { cluster: call.cluster, hash, feePayer: message.signers[0] ?? '' }))
      throw messageRefused(`transaction ${index} is known already`)
    const change = { ...part, id }
    const entries = bookEntries(plan, change, before, { first: index === 0, last: index === provided.length - 1 })
    before = applyLoanChange(before, change)
    const dryRun = authorizeAndRecord(context, cluster, unit, {
      id,
      draft: draftOf(plan, provider, each, { entries, isFirst: index === 0 }),
      composed: {
        message,
        keys,
        hash,
        sizeBytes: transactionSize(message),
        raised: 0,
        unitLimit: fee.units,
        unitPrice: fee.price,
        feeLamports: fee.lamports,
      },
      lifetime: underBlockhash(load.blockhash),
      chain: known,
      // A later transaction cannot be simulated, since the state it depends on does not exist yet.
      isSimulated: isSimulated || index > 0,
      judged: { maxFee: platform.limits.maxFeeLamports.toString(), limit: { units: fee.units, by: 'REQUEST' } },
      given: each.signatures,
      held: index > 0,
    })
    if (dryRun !== undefined) return dryOutcome(dryRun)
  }
  if (planId !== null) {
    const steps = ids.map((transactionId) => ({ data: null, records: [], transactionId, done: false }))
    createPlan(context, config, unit, { id: planId, purpose: PROVIDED_PURPOSE, steps })
  }
  const outcome: Outcome<Members> = {
    members: plan.members,
    transactions: ids,
    shape: planId === null ? 'member' : 'members',
    awaited: config?.commitmentConfig?.commitmentLevel ?? 'confirmed',
    ...(planId === null ? {} : { plan: planId }),
  }
  rememberOutcome(call, unit, outcome)
  return outcome
}

interface PlaceInRow {
  readonly entries: ReturnType<typeof bookEntries>
  readonly isFirst: boolean
}

function draftOf(
  plan: ChangePlan,
  { programs }: LendingProvider,
  { steps }: ProvidedTransaction,
  { entries, isFirst }: PlaceInRow,
): Draft {
  const { feePayer, signs, exempt = [], debits, before, board } = plan
  const { parties, rents } = board.built()
  return {
    instructions: [],
    feePayer,
    parties,
    rents,
    computeUnits: 0,
    exempt: new Set(exempt),
    // A renewed pledge counts once, with the first transaction.
    loan: isFirst ? debits : { ...debits, pledges: [] },
    adapter: {
      // The provider has the key of the vault, even if records of its address exist here.
      signs: new Set(signs.filter((address) => address !== before.lender.account.address)),
      programs,
      check: (message, effects) => checkMessage(steps, feePayer.address, message, { effects, programs }),
      entries: () => entries,
    },
    shape: 'members',
  }
}

/** The provider builds the messages, so the caller cannot configure them. Throws 400 `NOT_APPLICABLE`. */
function checkConfig(config: ChainTransactionConfig | undefined): void {
  const { messageLifetimeStrategy: lifetime, transactionVersion: version, computeUnitConfig: units } = config ?? {}
  const unsuitable = [
    ...(lifetime === undefined || lifetime === 'RECENT_BLOCKHASH' ? [] : ['messageLifetimeStrategy']),
    ...(version === undefined || version === 'V0' ? [] : ['transactionVersion']),
    ...(units === undefined || units.enable === false ? [] : ['computeUnitConfig']),
  ]
  const [first] = unsuitable
  if (first !== undefined)
    throw badRequest(
      'NOT_APPLICABLE',
      'the provider builds the messages with a blockhash',
      `/chainTransactionConfig/${first}`,
    )
}

function unanswered(
  { name }: LendingProvider,
  { reason, refused }: { readonly reason: string; readonly refused: boolean },
): Refusal {
  if (refused) return badRequest('LENDING_PROVIDER_REFUSED', `${name} refused the change: ${reason}`, PROTOCOL)
  const message = `${name} is not available: ${reason}`
  return new Refusal(503, [{ code: 'LENDING_PROVIDER_UNAVAILABLE', message, pointer: PROTOCOL, retryable: true }], 1)
}
