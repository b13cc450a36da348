// A change of a loan whose transactions a lending provider makes. It is drawn, ordered, and what comes back is checked from the compiled
// messages; then it is drawn once more, and the loan, all transactions with all their signatures and the plan that sends them one after the
// other are one write. Without our signatures nothing of an order can happen: one that was answered, and not written, has no effect.
import { transactionSize } from '../../solana/message.ts'
import type { ParsedTransaction } from '../../solana/parse.ts'
import type { Step } from '../../solana/step.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { changed } from '../../../machines/loan-books.ts'
import type { Call, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { ChainTransactionConfig } from '../../contract/input.ts'
import type { Blockhash, ClusterAccess, Platform } from '../context/platform.ts'
import { createPlan, PROVIDED_PURPOSE } from '../transactions/plans/plan-record.ts'
import { withKnownFunds } from '../transactions/funds.ts'
import { badRequest, Refusal } from '../../contract/refusal.ts'
import { foreignBlockhash } from '../transactions/signing/foreign-survey.ts'
import { resolvedKeys } from '../transactions/signing/foreign-tables.ts'
import type { Draft } from '../transactions/draft.ts'
import { enter } from '../transactions/enter.ts'
import { withKnownAccounts, type KnownAccounts } from '../transactions/known-accounts.ts'
import { underBlockhash } from '../transactions/lifetime.ts'
import { rehearsed } from '../transactions/rehearsal.ts'
import { clusterOf } from '../transactions/transact.ts'
import { bookEntries, type ChangePlan, type WantedChange } from './change-draft.ts'
import { checkMessage, refused } from './check-message.ts'
import { checkProvided, readProvided, type Provided } from './check-provided.ts'
import { partsOf } from './parts.ts'
import type { LendingProvider, ProviderOrder } from '../../contract/lending.ts'

const PROTOCOL = '/itemData/defiProtocol'

/** Throws 400 `LENDING_PROVIDER_REFUSED`, 403 `LOAN_MESSAGE_REFUSED`, 503 `LENDING_PROVIDER_UNAVAILABLE`, and what ours are refused with. */
export async function provideChange(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  provider: LendingProvider,
  { operation, draw }: WantedChange,
): Promise<Outcome> {
  checkConfig(config)
  // Interest stands still while the provider is asked.
  const at = Math.floor(platform.clock.now() / 1000)
  const order = await withKnownAccounts(platform, call, (known) => Promise.resolve().then(() => orderOf(draw(known, at))))
  const head = { id: platform.ids(), cluster: call.cluster, operation }
  const ordered = () => provider.transactions(order, head)
  const answer = await (platform.outboundShares?.run(call.tenant, 1, ordered) ?? ordered())
  if (!answer.ok) {
    platform.log?.warn({ provider: provider.name, orderId: head.id, reason: answer.reason }, 'a lending provider gives no transactions')
    throw unanswered(provider, answer)
  }
  try {
    return await taken(platform, call, config, provider, draw, at, answer.transactions)
  } catch (error) {
    if (error instanceof Refusal && error.problems[0]?.code === 'LOAN_MESSAGE_REFUSED')
      platform.log?.warn(
        { provider: provider.name, orderId: head.id, reason: error.message },
        'transactions of a lending provider are refused',
      )
    throw error
  }
}

/** Checks what came back and, where it is what was ordered, signs and keeps it. */
async function taken(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  provider: LendingProvider,
  draw: WantedChange['draw'],
  at: number,
  wires: readonly Uint8Array[],
): Promise<Outcome> {
  const cluster = clusterOf(platform, call)
  const transactions = readProvided(wires)
  const surveys = await Promise.all(transactions.map((each, index) => surveyed(cluster, each, index)))
  return await withKnownAccounts(platform, call, (known) =>
    withKnownFunds(platform, call.cluster, () =>
      rehearsed(cluster, async (isRehearsed) => {
        const { result, durable } = platform.engine.transact((unit) => {
          // By the prices of now it has to be right as well.
          draw(known, Math.floor(platform.clock.now() / 1000))
          const plan = draw(known, at)
          const provided = checked(platform, provider, plan, transactions, surveys)
          return keep(platform, call, config, unit, { cluster, provider, plan, provided, surveys, known, isRehearsed })
        })
        await durable
        return result
      }),
    ),
  )
}

function orderOf({ feePayer, board, before }: ChangePlan): ProviderOrder {
  if (feePayer.address === before.lender.account.address)
    throw badRequest('OWNER_MISMATCH', 'the vault is not its own borrower', '/itemData')
  return { feePayer: feePayer.address, steps: board.drawn().steps }
}

interface Surveyed {
  /** Every account of the message, looked-up ones included. */
  readonly keys: readonly string[]
  readonly blockhash: Blockhash
}

async function surveyed(cluster: ClusterAccess, { message }: ParsedTransaction, index: number): Promise<Surveyed> {
  const [keys, blockhash] = await Promise.all([resolvedKeys(cluster, message, '/itemData'), foreignBlockhash(cluster, message)])
  if (blockhash === null) throw refused(`transaction ${index} is under a blockhash that is not valid now`)
  return { keys, blockhash }
}

function checked(
  platform: Platform,
  { programs }: LendingProvider,
  plan: ChangePlan,
  transactions: readonly ParsedTransaction[],
  surveys: readonly Surveyed[],
): readonly Provided[] {
  const { feePayer, before } = plan
  const { steps } = plan.board.drawn()
  const ours = new Set([feePayer.address, ...steps.flatMap(consentsTo)])
  ours.delete(before.lender.account.address)
  const bounds = { ours, programs, maxFeeLamports: platform.limits.maxFeeLamports }
  return checkProvided({ feePayer: feePayer.address, steps }, bounds, transactions, (_, index) => surveys[index]?.keys ?? [])
}

/** Whose signature a step takes. */
function consentsTo(step: Step): string {
  if (step.kind === 'open') return step.payer
  return step.kind === 'lamports' ? step.from : step.authority
}

interface Ground {
  readonly cluster: ClusterAccess
  readonly provider: LendingProvider
  readonly plan: ChangePlan
  readonly provided: readonly Provided[]
  readonly surveys: readonly Surveyed[]
  readonly known: KnownAccounts
  readonly isRehearsed: boolean
}

/** All of it in one unit of work: each transaction enters as ours do, and waits for its turn unless it is the first. */
function keep(platform: Platform, call: Call, config: ChainTransactionConfig | undefined, unit: UnitOfWork, ground: Ground): Outcome {
  const { cluster, provider, plan, provided, surveys, known, isRehearsed } = ground
  unit.openFor(call.tenant)
  const ids = provided.map(() => platform.ids())
  const planId = provided.length === 1 ? null : platform.ids()
  const { prepare } = plan.board.drawn()
  plan.prepare(unit, ids.at(-1) ?? '', planId)
  prepare(unit)
  const vault = plan.before.lender.account.address
  const parts = partsOf(
    plan.change(),
    { escrow: plan.escrow, vault },
    provided.map(({ steps }) => steps),
  )
  let before = plan.before
  for (const [index, each] of provided.entries()) {
    const [id, part, survey] = [ids[index], parts[index], surveys[index]]
    if (id === undefined || part === undefined || survey === undefined) throw new Error('a transaction without its part of the change')
    const { message, keys, hash, fee } = each
    if (platform.engine.store.transactionOfMessage(call.cluster, hash) !== undefined) throw refused(`transaction ${index} is known already`)
    const change = { ...part, id }
    const entries = bookEntries(plan, change, before, { first: index === 0, last: index === provided.length - 1 })
    before = changed(before, change)
    enter(platform, call, cluster, unit, {
      id,
      draft: draftOf(plan, provider, each, { entries, isFirst: index === 0 }),
      composed: {
        message,
        keys,
        hash,
        sizeBytes: transactionSize(message),
        unitLimit: fee.units,
        unitPrice: fee.price,
        feeLamports: fee.lamports,
      },
      lifetime: underBlockhash(survey.blockhash),
      chain: known,
      // What a later one builds on is not there yet.
      isTried: isRehearsed || index > 0,
      judged: { maxFee: platform.limits.maxFeeLamports.toString(), limit: { units: fee.units, by: 'REQUEST' } },
      given: each.signatures,
      held: index > 0,
    })
  }
  if (planId !== null) {
    const steps = ids.map((transactionId) => ({ data: null, records: [], transactionId, done: false }))
    createPlan(platform, call, config, unit, { id: planId, purpose: PROVIDED_PURPOSE, steps })
  }
  const outcome: Outcome = {
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

function draftOf(plan: ChangePlan, { programs }: LendingProvider, { steps }: Provided, { entries, isFirst }: PlaceInRow): Draft {
  const { feePayer, signs, exempt = [], debits, before, board } = plan
  const { parties, rents } = board.drawn()
  return {
    instructions: [],
    feePayer,
    parties,
    rents,
    computeUnits: 0,
    exempt: new Set(exempt),
    // What is pledged anew counts once.
    loan: isFirst ? debits : { ...debits, pledges: [] },
    adapter: {
      // The key of the vault is the provider's, whatever records of its address there are here.
      signs: new Set(signs.filter((address) => address !== before.lender.account.address)),
      programs,
      check: (message, effects) => checkMessage(steps, feePayer.address, message, effects, programs),
      entries: () => entries,
    },
    shape: 'members',
  }
}

/** The message is the provider's: nothing of it is for the caller to say. Throws 400 `NOT_APPLICABLE`. */
function checkConfig(config: ChainTransactionConfig | undefined): void {
  const { messageLifetimeStrategy: lifetime, transactionVersion: version, computeUnitConfig: units } = config ?? {}
  const said = [
    ...(lifetime === undefined || lifetime === 'RECENT_BLOCKHASH' ? [] : ['messageLifetimeStrategy']),
    ...(version === undefined || version === 'V0' ? [] : ['transactionVersion']),
    ...(units === undefined || units.enable === false ? [] : ['computeUnitConfig']),
  ]
  const [first] = said
  if (first !== undefined)
    throw badRequest('NOT_APPLICABLE', 'the provider makes the messages, under a blockhash', `/chainTransactionConfig/${first}`)
}

function unanswered({ name }: LendingProvider, { reason, refused: no }: { readonly reason: string; readonly refused: boolean }): Refusal {
  if (no) return badRequest('LENDING_PROVIDER_REFUSED', `${name} does not make this change: ${reason}`, PROTOCOL)
  const message = `${name} cannot be asked at the moment: ${reason}`
  return new Refusal(503, [{ code: 'LENDING_PROVIDER_UNAVAILABLE', message, pointer: PROTOCOL, retryable: true }], 1)
}
