// Drafting of the transaction of a plan step: one function for each purpose of a plan.
import type { JsonObject } from '../../../contract/call.ts'
import type { ChainTransactionConfig } from '../../../contract/values/chain-config.ts'
import type { Context } from '../../context/platform.ts'
import type { Budget } from '../budget.ts'
import type { Draft } from '../draft.ts'

/**
 * Reads from the cluster what the step needs, and returns the function that drafts its transaction in the unit of
 * work.
 */
export type BuildStep = (
  context: Context,
  config: ChainTransactionConfig | undefined,
  data: JsonObject,
) => Promise<(budget: Budget) => Draft>

/** By purpose, as plan records name it. */
export type PlanSteps = Readonly<Record<string, BuildStep>>
