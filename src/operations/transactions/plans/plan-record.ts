// Creates the record of a plan, in the unit of work of its first transaction.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { PlanStep } from '../../../../machines/transactions/plan.ts'
import type { ChainTransactionConfig } from '../../../contract/values/chain-config.ts'
import type { Context } from '../../context/platform.ts'
import { requesterOf } from './requester.ts'

/**
 * Purpose of a plan whose transactions all exist from the beginning, built and partly signed by a lending provider.
 * No step is drafted later. Each transaction is sent when the previous one is final, so that no fork can separate
 * them.
 */
export const PROVIDED_PURPOSE = 'lendingProvider'

export interface NewPlan {
  readonly id: string
  readonly purpose: string
  readonly steps: readonly PlanStep[]
}

export function createPlan(
  { platform, call }: Context,
  config: ChainTransactionConfig | undefined,
  unit: UnitOfWork,
  { id, purpose, steps }: NewPlan,
): void {
  const { tenant, cluster, organization, endpoint, requestId } = call
  unit.create(
    'plan',
    { tenant, cluster, id },
    {
      plan: {
        organization,
        endpoint,
        requestId,
        requester: requesterOf(call),
        purpose,
        ...(call.externalReference === undefined ? {} : { externalReference: call.externalReference }),
        config: config ?? null,
        steps,
        reason: null,
        startedAt: new Date(platform.clock.now()).toISOString(),
        endedAt: null,
      },
    },
  )
}
