// The progress of a plan of several transactions.
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { PlanState } from '../../../../machines/transactions/plan.ts'
import type { Call, Outcome } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import type { PlanModel } from '../../../contract/schemas/answers.ts'

const PLAN_STATUS: Readonly<Record<PlanState, PlanModel['status']>> = {
  running: 'RUNNING',
  finished: 'FINISHED',
  failed: 'FAILED',
}

/** Ids of the transactions created so far for an outcome, in order. */
export function transactionsOf(platform: Platform, { plan, transactions }: Outcome): readonly string[] {
  if (plan === undefined) return transactions
  return planNamed(platform, plan).context.steps.flatMap(({ transactionId }) =>
    transactionId === null ? [] : [transactionId],
  )
}

/**
 * @param reader absent: the owner. Only the owner's tenant sees why a plan was abandoned, because the reason names its
 * transactions.
 */
export function planModel(platform: Platform, id: string, reader?: Pick<Call, 'tenant'>): PlanModel {
  const { tenant, value, context } = planNamed(platform, id)
  const isOwn = reader === undefined || reader.tenant === tenant
  return {
    offchainId: id,
    status: PLAN_STATUS[value as PlanState],
    steps: context.steps.length,
    confirmed: context.steps.filter(({ done }) => done).length,
    ...(context.reason === null || !isOwn ? {} : { errorMessage: context.reason }),
  }
}

function planNamed(platform: Platform, id: string): RecordState<'plan'> {
  const plan = ofKind(platform.engine.directory.byId(id)?.committed, 'plan')
  if (plan === undefined) throw new Error(`plan ${id} is missing`)
  return plan
}
