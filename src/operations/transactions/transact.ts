// The one way a transaction is made: compile, judge, reserve, sign and hand to the store in one synchronous stretch; to the lane
// only once it is durable. Whatever is refused here is refused before a key was used, and leaves nothing.
import type { LookupTable } from '../../solana/message.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from './idempotency.ts'
import type { ChainTransactionConfig } from '../../contract/input.ts'
import { freeNonce, isDurable, nonceAtHand } from './nonces/free.ts'
import type { ClusterAccess, Platform } from '../context/platform.ts'
import { withKnownFunds } from './funds.ts'
import { budgetOf, type Budget } from './budget.ts'
import { compose, type Composed } from './compose.ts'
import type { Draft } from './draft.ts'
import { enter } from './enter.ts'
import { judgedOn } from './judged.ts'
import { withKnownAccounts, type KnownAccounts } from './known-accounts.ts'
import { ANY_BLOCKHASH, underBlockhash, type Lifetime } from './lifetime.ts'
import { rehearsed } from './rehearsal.ts'
import { tablesAtHand } from './tables.ts'

/**
 * Makes the transaction that `draw` wants. `draw` runs inside the stretch, so what it resolved is what is signed; it runs again
 * when the books turn out to be behind the chain.
 */
export async function transact(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  draw: (budget: Budget) => Draft,
): Promise<Outcome> {
  const cluster = clusterOf(platform, call)
  const durable = isDurable(config)
  if (durable) await nonceAtHand(platform, call)
  const tables = await tablesAtHand(platform, call, config)
  const budget = await budgetOf(config, cluster, () => trial(platform, call, config, draw, tables))
  return await withKnownAccounts(platform, call, (chain) =>
    withKnownFunds(platform, call.cluster, async () => {
      const blockhash = durable ? null : (cluster.currentBlockhash() ?? (await cluster.freshBlockhash()))
      return await rehearsed(cluster, async (isRehearsed) => {
        const { result, durable: written } = platform.engine.transact((unit) => {
          const draft = draw(budget)
          const lifetime = draft.lifetime ?? (blockhash === null ? freeNonce(platform, call) : underBlockhash(blockhash))
          return stretch(platform, call, config, cluster, unit, draft, lifetime, budget, tables, isRehearsed, chain)
        })
        await written
        return result
      })
    }),
  )
}

/** The message as it would be, under any blockhash: for simulating and estimating only. */
function trial(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  draw: (budget: Budget) => Draft,
  tables: readonly LookupTable[],
): Composed {
  const open = { unitLimit: null, unitPrice: 0n }
  const draft = draw(open)
  const lifetime = draft.lifetime ?? (isDurable(config) ? freeNonce(platform, call) : ANY_BLOCKHASH)
  return compose(platform, call, draft, config, lifetime, open, tables)
}

export function clusterOf(platform: Platform, call: Call): ClusterAccess {
  const cluster = platform.clusters.get(call.cluster)
  if (cluster === undefined) throw new Error(`cluster ${call.cluster} is not configured`)
  return cluster
}

function stretch(
  platform: Platform,
  call: Call,
  config: ChainTransactionConfig | undefined,
  cluster: ClusterAccess,
  unit: UnitOfWork,
  draft: Draft,
  lifetime: Lifetime,
  budget: Budget,
  tables: readonly LookupTable[],
  isRehearsed: boolean,
  chain: Pick<KnownAccounts, 'get'>,
): Outcome {
  const id = platform.ids()
  unit.openFor(call.tenant)
  draft.prepare?.(unit, id)
  const composed = compose(platform, call, draft, config, lifetime, budget, tables)
  const isTried = isRehearsed || budget.simulated === true
  const judged = judgedOn(platform, draft, budget, composed, lifetime)
  enter(platform, call, cluster, unit, { id, draft, composed, lifetime, chain, isTried, judged })
  const outcome: Outcome = {
    members: draft.members ?? {},
    transactions: [id],
    shape: draft.shape,
    awaited: config?.commitmentConfig?.commitmentLevel ?? 'confirmed',
    ...(draft.plan === undefined ? {} : { plan: draft.plan }),
    ...draft.outcome,
  }
  rememberOutcome(call, unit, outcome)
  return outcome
}
