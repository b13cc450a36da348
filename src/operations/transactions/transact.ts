// The pipeline of every transaction that this service builds: compile, evaluate, reserve, sign and record in one
// synchronous unit of work, and submit once that is durable. A refusal comes before any key is used and leaves no
// trace.
import type { LookupTable } from '../../solana/message.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from './idempotency.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import { freeNonce, isDurable, nonceAtHand } from './nonces/free.ts'
import type { Blockhash, PlatformCluster, Context } from '../context/platform.ts'
import { runAttempts, type Attempt } from './attempt.ts'
import { type Budget, budgetOf, evaluationFacts } from './budget.ts'
import { compose, type ComposedMessage } from './compose.ts'
import type { Draft } from './draft.ts'
import { dryOutcome } from './dry-run.ts'
import { authorizeAndRecord } from './authorize-and-record.ts'
import { ANY_BLOCKHASH, isYoung, underBlockhash, type Lifetime } from './lifetime.ts'
import { tablesAtHand } from './tables.ts'
import { sharingOf } from './shared-call.ts'

/**
 * Makes the transaction of the draft that `buildDraft` returns. `buildDraft` runs inside the unit of work, so the
 * records it resolved are the records that are signed for. It may run several times: for an estimate, after missing
 * chain accounts were read, after balances were reconciled with the chain, and after a simulation. If it finds nothing
 * left to do and returns undefined, nothing is made.
 */
export async function transact<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  buildDraft: (budget: Budget) => Draft<Members>,
): Promise<Outcome<Members>>
export async function transact<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  buildDraft: (budget: Budget) => Draft<Members> | undefined,
): Promise<Outcome<Members> | undefined>
export async function transact<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  buildDraft: (budget: Budget) => Draft<Members> | undefined,
): Promise<Outcome<Members> | undefined> {
  const { platform, call } = context
  const { join } = sharingOf(call)
  // The shared transaction has the members of this draft. An item of a batch always has one.
  if (join !== undefined) return (await join(buildDraft as (budget: Budget) => Draft)) as Outcome<Members>
  const cluster = clusterOf(context)
  const durable = isDurable(config)
  if (durable) await nonceAtHand(context)
  const tables = await tablesAtHand(context, config)
  const budget = await budgetOf(config, cluster, () => estimate(context, config, buildDraft, tables))
  // One id for all attempts, so that an attempt finds the data that was read under this id for an earlier one.
  const id = platform.ids()
  let taken: Blockhash | null = null
  return await runAttempts(
    platform,
    call,
    async (attempt) => {
      // Keeps the blockhash between attempts, because data gathered for one message does not apply to another. A
      // blockhash that has become too old meanwhile is replaced.
      if (!durable && (taken === null || !isYoung(taken, cluster.blockHeight())))
        taken = cluster.currentBlockhash() ?? (await cluster.freshBlockhash())
      const blockhash = taken
      const { result, durable: written } = platform.engine.transact((unit) => {
        const draft = buildDraft(budget)
        if (draft === undefined) {
          unit.discard()
          return undefined
        }
        const lifetime = draft.lifetime ?? (blockhash === null ? freeNonce(context) : underBlockhash(blockhash))
        return attemptOnce(context, config, cluster, { unit, draft, lifetime, budget, tables, attempt, id })
      })
      await written
      return result
    },
    OF_FUNDS,
  )
}

const OF_FUNDS = { funds: true } as const

/**
 * Compiles the message under a placeholder blockhash, or a free nonce, for simulation and fee estimates only.
 * undefined: there is nothing left to do.
 */
function estimate(
  context: Context,
  config: ChainTransactionConfig | undefined,
  buildDraft: (budget: Budget) => Draft | undefined,
  tables: readonly LookupTable[],
): ComposedMessage | undefined {
  const open = { unitLimit: null, unitPrice: 0n }
  const draft = buildDraft(open)
  if (draft === undefined) return undefined
  const lifetime = draft.lifetime ?? (isDurable(config) ? freeNonce(context) : ANY_BLOCKHASH)
  return compose(context, draft, config, { lifetime, budget: open, tables })
}

export function clusterOf({ platform, call }: Context): PlatformCluster {
  const cluster = platform.clusters.get(call.cluster)
  if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
  return cluster
}

function attemptOnce<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  cluster: PlatformCluster,
  {
    unit,
    draft,
    lifetime,
    budget,
    tables,
    attempt: { known, isSimulated: wasSimulated },
    id,
  }: {
    readonly unit: UnitOfWork
    readonly draft: Draft<Members>
    readonly lifetime: Lifetime
    readonly budget: Budget
    readonly tables: readonly LookupTable[]
    readonly attempt: Attempt
    readonly id: string
  },
): Outcome<Members> {
  const { platform, call } = context
  unit.openFor(call.tenant)
  draft.prepare?.(unit, id)
  const composed = compose(context, draft, config, { lifetime, budget, tables })
  const isSimulated = wasSimulated || budget.simulated === true
  const evaluated = evaluationFacts(platform, draft, budget, composed)
  const dryRun = authorizeAndRecord(context, cluster, unit, {
    id,
    draft,
    composed,
    lifetime,
    chain: known,
    isSimulated,
    judged: evaluated,
  })
  if (dryRun !== undefined) return dryOutcome(dryRun)
  const outcome: Outcome<Members> = {
    // A draft without members is answered with the bare transaction.
    members: draft.members ?? ({} as Members),
    transactions: [id],
    shape: draft.shape,
    awaited: config?.commitmentConfig?.commitmentLevel ?? 'confirmed',
    ...(draft.plan === undefined ? {} : { plan: draft.plan }),
    ...draft.outcome,
  }
  rememberOutcome(call, unit, outcome)
  return outcome
}
