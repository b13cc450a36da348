// Compute unit limit and price: as requested, or from a simulation of the same message and from recent prioritization
// fees for the accounts it writes. Also the facts about them that explanations show
// and that cannot be derived later.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import type { MessageWithKeys } from '../../solana/lookups.ts'
import { type CompiledMessage, isWritable } from '../../solana/message.ts'
import type { ChainTransactionConfig, PriorityLevel } from '../../contract/values/chain-config.ts'
import type { PlatformCluster, Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { EvaluationFacts } from '../../engine/records/codec.ts'
import type { ComposedMessage } from './compose.ts'
import type { Draft } from './draft.ts'

export interface Budget {
  /** null: the bound of the operation applies. */
  readonly unitLimit: number | null
  /** Micro-lamports per compute unit. */
  readonly unitPrice: bigint
  /** Set if the limit comes from a simulation, with headroom. */
  readonly simulated?: true
}

/** Headroom above the simulated units: the state of the chain may change before the transaction lands. */
const HEADROOM_PERCENT = 20
const HEADROOM_UNITS = 1_000

/** Percentile of recent fees for each priority level. */
const PERCENTILE: Readonly<Record<PriorityLevel, number>> = {
  MIN: 0,
  LOW: 25,
  MEDIUM: 50,
  RECOMMENDED: 60,
  HIGH: 75,
  VERY_HIGH: 95,
}

/**
 * `estimate` compiles the message without signing or recording it; called only if the config leaves the limit or the
 * price open. undefined: there is nothing to send.
 * Throws 400 `SIMULATION_FAILED`.
 */
export async function budgetOf(
  config: ChainTransactionConfig | undefined,
  cluster: PlatformCluster,
  estimate: () => MessageWithKeys | undefined,
): Promise<Budget> {
  const requested = config?.computeUnitConfig
  if (requested === undefined || requested.enable === false) return { unitLimit: null, unitPrice: 0n }
  const explicit = { unitLimit: requested.limit ?? null, unitPrice: BigInt(requested.price ?? 0) }
  const simulates = requested.enable === true && requested.limit === undefined
  const estimates = requested.price === undefined ? requested.priceEstimate : undefined
  if (!simulates && estimates === undefined) return explicit
  const compiled = estimate()
  if (compiled === undefined) return explicit
  const [unitLimit, unitPrice] = await Promise.all([
    simulates ? simulatedLimit(cluster, compiled.message) : explicit.unitLimit,
    estimates === undefined
      ? explicit.unitPrice
      : estimatedPrice(cluster, compiled, estimates.priorityLevel ?? 'RECOMMENDED'),
  ])
  return { unitLimit, unitPrice, ...(simulates ? { simulated: true } : {}) }
}

async function simulatedLimit(cluster: PlatformCluster, message: CompiledMessage): Promise<number> {
  const { error, computeUnits } = await cluster.simulate(message.bytes)
  if (error !== null) throw badRequest('SIMULATION_FAILED', `simulation failed: ${error}`, '/itemData')
  return Math.min(MAX_COMPUTE_UNITS, Math.ceil((computeUnits * (100 + HEADROOM_PERCENT)) / 100) + HEADROOM_UNITS)
}

async function estimatedPrice(
  cluster: PlatformCluster,
  { message, keys }: MessageWithKeys,
  level: PriorityLevel,
): Promise<bigint> {
  const writable = keys.filter((_, index) => isWritable(message, index))
  const fees = (await cluster.recentPrioritizationFees(writable))
    .map(({ microLamports }) => microLamports)
    .sort((a, b) => a - b)
  const rank = Math.ceil((PERCENTILE[level] / 100) * fees.length) - 1
  return BigInt(fees[Math.max(0, rank)] ?? 0)
}

export function evaluationFacts(
  platform: Platform,
  draft: Draft,
  { unitLimit, simulated }: Budget,
  { raised }: ComposedMessage,
): EvaluationFacts {
  return {
    maxFee: platform.limits.maxFeeLamports.toString(),
    ...(unitLimit === null ? {} : { limit: { units: unitLimit, by: simulated === true ? 'SIMULATION' : 'REQUEST' } }),
    ...(raised === 0 ? {} : { raised }),
    ...(draft.covered === false ? { uncovered: true } : {}),
  }
}
