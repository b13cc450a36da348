// Order of the transactions of one request: none leaves the service before the earlier ones are settled.
import { planKey } from '../../../engine/index/index-keys.ts'
import { ofKind } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'

/** Throws 400 `NOT_ITS_TURN`. */
export function checkIsNextStep({ engine: { directory } }: Platform, transactionId: string, pointer: string): void {
  for (const { head } of directory.find(planKey(transactionId))) {
    const steps = ofKind(head, 'plan')?.context.steps ?? []
    const before = steps.slice(
      0,
      steps.findIndex((step) => step.transactionId === transactionId),
    )
    const first = before.find(({ done }) => !done)
    if (first !== undefined)
      throw badRequest('NOT_ITS_TURN', `transaction ${first.transactionId ?? ''} must be settled first`, pointer)
  }
}
