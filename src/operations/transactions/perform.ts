// Runs a write: replays a stored outcome or runs the operation, waits for the requested commitment, and renders the
// answer. A replayed request waits and is rendered in the same way as the first request.
import { withSpan, type Attributes } from '../../telemetry/traces.ts'
import { NotAtHand } from '../../../snapshots/not-at-hand.ts'
import { atHand, atHandNow, MissingRows } from '../../../snapshots/at-hand.ts'
import { organizationKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { asRefusal, asUnknownOutcome } from '../context/as-refusal.ts'
import type { Call, JsonObject, Outcome } from '../../contract/call.ts'
import { runAttempts } from './attempt.ts'
import { requireRecordServedHere, writerOf } from '../context/serving.ts'
import { untilOthersAct } from './heard-by.ts'
import { checkDigest, recalledOutcome, scopeOf, withoutTransaction } from './idempotency.ts'
import type { Context, Platform, Read, Write } from '../context/platform.ts'
import { organizationModel } from '../views/read-models/access.ts'
import { batchResult } from '../views/read-models/batch.ts'
import { pendingChangeShown } from '../views/read-models/pending-change.ts'
import { planModel, transactionsOf } from '../views/read-models/plan.ts'
import { transactionResult } from '../views/read-models/transaction.ts'
import { RequestRecords, needNamed } from '../lookup/request-records.ts'
import { storePendingChange } from './pending-change.ts'
import { throwWithFeePayer } from './fee-payer.ts'
import { askServer } from './served-request.ts'

export interface RequestOutcome {
  readonly body: JsonObject
  readonly replayed: boolean
  /** A dry run answers 200, whatever status the endpoint has otherwise. */
  readonly dryRun: boolean
  /** The change waits for approvals: 202. */
  readonly pending: boolean
}

interface InFlight {
  readonly digest: string
  readonly outcome: Promise<Outcome>
}

export class Performer {
  readonly #platform: Platform
  /**
   * Writes with an idempotency key that are still running, by tenant, cluster and scope. A second request with the
   * same key awaits the first.
   */
  readonly #inFlight = new Map<string, InFlight>()
  /** Keys whose rows are being fetched: no request with such a key runs until they are known. */
  readonly #fetching = new Map<string, Promise<void>>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  async perform<Input>(call: Call, write: Write<Input>, input: Input): Promise<RequestOutcome> {
    if (call.dryRun) return await this.#dryRun(call, write, input).catch(refuse)
    const { outcome, replayed } = await this.#outcome(call, write, input).catch(refuse)
    return await this.#answer(call, { outcome, replayed }, input).catch((error: unknown) => {
      throw asUnknownOutcome(error)
    })
  }

  async #answer(
    call: Call,
    { outcome, replayed }: { readonly outcome: Outcome; readonly replayed: boolean },
    input: unknown,
  ): Promise<RequestOutcome> {
    const { elsewhere } = outcome
    if (elsewhere !== undefined && !this.#platform.engine.owns(elsewhere.tenant))
      return {
        ...(await askServer(this.#platform, call, { ...outcome, elsewhere }, input)),
        dryRun: false,
        pending: false,
      }
    await this.#wait(outcome, call.waitMs)
    const rendered = atHandNow(this.#platform.engine, () => render({ platform: this.#platform, call }, outcome))
    const body = rendered instanceof Promise ? await rendered : rendered
    return { body, replayed, dryRun: false, pending: isStored(outcome) }
  }

  async #outcome<Input>(
    call: Call,
    write: Write<Input>,
    input: Input,
  ): Promise<{ outcome: Outcome; replayed: boolean }> {
    if (call.idempotency === null) return { outcome: await this.#run(call, write, input), replayed: false }
    const key = [writerOf(call), call.cluster, scopeOf(call)].join('\u0000')
    let missingRows: MissingRows | undefined
    for (;;) {
      const running = this.#inFlight.get(key)
      if (running !== undefined) {
        checkDigest(running.digest, call.idempotency.digest)
        return { outcome: withoutSecrets(await running.outcome), replayed: true }
      }
      const fetching = this.#fetching.get(key)
      if (fetching !== undefined) {
        await fetching.catch(() => undefined)
        continue
      }
      try {
        const recalled = recalledOutcome({ platform: this.#platform, call })
        if (recalled !== undefined) return { outcome: await this.#whenInEffect(call, recalled), replayed: true }
        break
      } catch (error) {
        if (!(error instanceof NotAtHand)) throw error
        missingRows ??= new MissingRows(this.#platform.engine)
        await this.#fetch(key, missingRows.fetch(error))
      }
    }
    const outcome = this.#run(call, write, input)
    this.#inFlight.set(key, { digest: call.idempotency.digest, outcome })
    try {
      return { outcome: await outcome, replayed: false }
    } finally {
      this.#inFlight.delete(key)
    }
  }

  /** The first request may have ended before its change was in effect in all cells. */
  async #whenInEffect(call: Call, outcome: Outcome): Promise<Outcome> {
    const [transaction] = outcome.transactions
    if (transaction !== undefined) await requireRecordServedHere({ platform: this.#platform, call }, transaction)
    await untilOthersAct(this.#platform, outcome)
    return outcome
  }

  async #fetch(key: string, fetch: Promise<void>): Promise<void> {
    this.#fetching.set(key, fetch)
    try {
      await fetch
    } finally {
      this.#fetching.delete(key)
    }
  }

  async #run<Input>(call: Call, write: Write<Input>, input: Input): Promise<Outcome> {
    const outcome = await this.#decide(call, write, input)
    const { needsApproval } = outcome
    if (needsApproval === undefined) return outcome
    return await storePendingChange({ platform: this.#platform, call }, input, needsApproval)
  }

  async #decide<Input>(call: Call, write: Write<Input>, input: Input): Promise<Outcome> {
    return await withSpan(
      `operation ${call.endpoint}`,
      attributesOf(call),
      () =>
        runAttempts(this.#platform, call, () => {
          const records = new RequestRecords(this.#platform.engine.directory, call.cluster)
          needNamed(records, call.cluster, input)
          const context = { platform: this.#platform, call, records }
          return write(context, input).catch((error: unknown) => throwWithFeePayer(context, input, error))
        }),
      { after: transactionsMade },
    )
  }

  async read<Input, Answer>(call: Call, read: Read<Input, Answer>, input: Input): Promise<Answer> {
    return await withSpan(`operation ${call.endpoint}`, attributesOf(call), () =>
      runAttempts(this.#platform, call, () => {
        needNamed(this.#platform.engine.directory, call.cluster, input)
        return read({ platform: this.#platform, call }, input)
      }),
    ).catch(refuse)
  }

  async #dryRun<Input>(call: Call, write: Write<Input>, input: Input): Promise<RequestOutcome> {
    const { dryRun } = await this.#run(call, write, input)
    if (dryRun === undefined) throw withoutTransaction()
    const report = await atHand(this.#platform.engine, () => dryRun.report())
    return { body: { dryRun: report as JsonObject }, replayed: false, dryRun: true, pending: false }
  }

  /**
   * Waits at most `waitMs` in total: until the plan, if any, has ended, then until the last transaction has reached
   * the requested commitment.
   */
  async #wait(outcome: Outcome, waitMs: number): Promise<void> {
    const { clock, engine } = this.#platform
    const startedAt = clock.now()
    // Only records in memory can still change.
    const plan = outcome.plan === undefined ? undefined : engine.directory.resident(outcome.plan)?.committed
    if (plan?.value === 'running' && waitMs > 0)
      await engine.waiters.wait(plan.id, ({ value }) => value !== 'running', waitMs)
    // The wall clock may jump backward; the remaining wait is therefore capped at `waitMs`.
    const remainingMs = plan === undefined ? waitMs : Math.min(waitMs, startedAt + waitMs - clock.now())
    const known = atHandNow(engine, () => transactionsOf(this.#platform, outcome).at(-1))
    const last = known instanceof Promise ? await known : known
    const transaction =
      last === undefined ? undefined : ofKind(engine.directory.resident(last)?.committed, 'transaction')
    const reached = (now: RecordState<'transaction'>): boolean =>
      hasReached(now, outcome.awaited) && !this.#awaitsSigner(now)
    if (transaction === undefined || remainingMs <= 0 || reached(transaction)) return
    await engine.waiters.wait(transaction.id, (now) => reached(now as RecordState<'transaction'>), remainingMs)
  }

  /**
   * True while a remote signer is being asked for a signature, or while its signature is being committed. The caller
   * does not have to act.
   */
  #awaitsSigner({ id, value, revision }: RecordState<'transaction'>): boolean {
    if (value !== 'partiallySigned') return false
    const { signingQueue, engine } = this.#platform
    return signingQueue.asks(id) || (engine.directory.resident(id)?.head.revision ?? revision) > revision
  }
}

function refuse(error: unknown): never {
  throw asRefusal(error)
}

function attributesOf({ cluster, organization, requestId }: Call): Attributes {
  return { cluster, organization, requestId }
}

function transactionsMade({ transactions }: Outcome): Attributes {
  return transactions.length === 0 ? {} : { transactions: transactions.join(' ') }
}

const REACHED = {
  signed: ['signed', 'submitted', 'processed', 'confirmed', 'finalized'],
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
} as const

/**
 * True if further waiting cannot bring the transaction closer to the requested commitment: the commitment is reached,
 * the transaction has ended, or a signer has to act. An on-chain error counts only in `blockchainError`: before that
 * a dropped fork can still undo the block that holds it. A cancellation whose proof is awaited needs no further signer.
 */
function hasReached({ value, context }: RecordState<'transaction'>, awaited: Outcome['awaited']): boolean {
  if ((REACHED[awaited] as readonly string[]).includes(value)) return true
  if (value === 'partiallySigned' && awaited === 'finalized' && context.cancelAskedAt !== null) return false
  return ['prepared', 'partiallySigned', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired'].includes(
    value,
  )
}

/** True if the outcome is a stored pending change, not a decision about one. */
function isStored({ pendingChange, members }: Outcome): boolean {
  return pendingChange !== undefined && 'pendingChange' in members
}

function withoutSecrets(outcome: Outcome): Outcome {
  const { secrets: _shownOnce, ...rest } = outcome
  return rest
}

/** The parts conform to the contract; which of them an answer has depends on the endpoint. */
function render(context: Context, outcome: Outcome): JsonObject {
  const { platform } = context
  const results = transactionsOf(platform, outcome).map((id) => transactionResult(context, id))
  const last = results.at(-1)
  if (outcome.shape === 'bare' && last !== undefined) return { ...last, ...outcome.members }
  return {
    ...membersNow(platform, outcome),
    ...(last === undefined ? {} : { chainTransaction: last }),
    ...(outcome.shape === 'members' ? { chainTransactions: results } : {}),
    ...(outcome.pendingChange === undefined
      ? {}
      : { pendingChange: pendingChangeShown(platform, outcome.pendingChange) as JsonObject }),
    ...(outcome.plan === undefined ? {} : { chainPlan: planModel(platform, outcome.plan) }),
    ...outcome.secrets,
  }
}

/** The members of the first answer, with what they showed of a batch, organization or webhook as it is now. */
function membersNow(platform: Platform, { members, batch, organization, webhook }: Outcome): JsonObject {
  const { directory } = platform.engine
  if (batch !== undefined) return { ...(batchResult(platform, batch) as JsonObject), ...members }
  if (webhook !== undefined) {
    const until = ofKind(directory.byId(webhook)?.committed, 'webhook')?.context.previousSecretUntil
    return until === undefined ? members : { ...members, previousSecretValidUntil: until }
  }
  if (organization === undefined) return members
  // Its tenant may have moved to another cell, whose records are found by their names.
  const entry = directory.byId(organization) ?? directory.first(organizationKey(members['externalId'] as string))
  const state = ofKind(entry?.committed, 'organization')
  return state === undefined ? members : { ...organizationModel(platform, state) }
}
