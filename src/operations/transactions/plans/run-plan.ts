// Operations that may take several transactions. The plan, all records it
// creates and its first transaction are one durable write; the plan driver makes each other transaction when the
// previous one is confirmed.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { PlanStep } from '../../../../machines/transactions/plan.ts'
import type { JsonObject, Outcome } from '../../../contract/call.ts'
import type { ChainTransactionConfig } from '../../../contract/values/chain-config.ts'
import type { Platform, Signer, Context } from '../../context/platform.ts'
import { operationResult } from '../../context/as-refusal.ts'
import { dryOutcome, TransactionDryRun, type DryRunFindings } from '../dry-run.ts'
import { transact } from '../transact.ts'
import { createPlan } from './plan-record.ts'
import type { BuildStep } from './build-step.ts'

export interface PlannedStep {
  readonly data: JsonObject
  /** Ids of pending records that this step creates on chain; they are abandoned if the step never happens. */
  readonly records: readonly string[]
}

export interface Plan<Members extends JsonObject = JsonObject> {
  /** A key of `Platform.planSteps`. */
  readonly purpose: string
  /** At least one. */
  readonly steps: readonly PlannedStep[]
  readonly members: Members
  /** Creates and changes the records of the whole plan, in the unit of work of the first transaction. */
  readonly prepare?: (unit: UnitOfWork, transactionId: string) => void
  /** Keys that this request generates or imports; they are stored with the first transaction. */
  readonly freshKeys?: readonly Signer[]
}

/**
 * Answers with `chainTransaction` and `chainTransactions`. A single step needs no plan and becomes an ordinary
 * transaction.
 */
export async function runPlan<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  plan: Plan<Members>,
): Promise<Outcome<Members>> {
  const outcome = await beginPlan(context, config, plan)
  const { dryRun } = outcome
  const { length } = plan.steps
  if (length === 1 || !(dryRun instanceof TransactionDryRun)) return outcome
  return dryOutcome(dryRun.ofPlan(length, await furtherFindings(context, config, plan)))
}

/**
 * The findings of a dry run on the transactions after the first, each with all records of the plan. A transaction that
 * cannot be built before the first has landed is left out.
 */
async function furtherFindings<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  plan: Plan<Members>,
): Promise<DryRunFindings[]> {
  const found: DryRunFindings[] = []
  for (const step of plan.steps.slice(1)) {
    const made = await operationResult(beginPlan(context, config, { ...plan, steps: [step] }))
    if (!made.ok && made.refusal === null) throw made.error
    if (made.ok && made.result.dryRun instanceof TransactionDryRun) found.push(made.result.dryRun.findings)
  }
  return found
}

async function beginPlan<Members extends JsonObject>(
  context: Context,
  config: ChainTransactionConfig | undefined,
  { purpose, steps, members, prepare, freshKeys = [] }: Plan<Members>,
): Promise<Outcome<Members>> {
  const { platform } = context
  const buildDraft = await stepBuilderOf(platform, purpose)(context, config, steps[0]?.data ?? {})
  const planId = steps.length > 1 ? platform.ids() : null
  return await transact(context, config, (budget) => {
    const draft = buildDraft(budget)
    return {
      ...draft,
      freshKeys: [...freshKeys, ...(draft.freshKeys ?? [])],
      members,
      shape: 'members',
      ...(planId === null ? {} : { plan: planId }),
      prepare: (unit, transactionId) => {
        prepare?.(unit, transactionId)
        draft.prepare?.(unit, transactionId)
        if (planId === null) return
        const planned = steps.map(({ data, records }, index): PlanStep => {
          return { data, records, transactionId: index === 0 ? transactionId : null, done: false }
        })
        createPlan(context, config, unit, { id: planId, purpose, steps: planned })
      },
    }
  })
}

export function stepBuilderOf({ planSteps }: Platform, purpose: string): BuildStep {
  const buildDraft = planSteps[purpose]
  if (buildDraft === undefined) throw new Error(`no plan is made for ${purpose}`)
  return buildDraft
}
