// Destination policies of a tenant for another tenant's transaction that one of its keys signs.
import { forbidden, Refusal } from '../../../contract/refusal.ts'
import type { Platform } from '../../context/platform.ts'
import { decideDestinations, type DestinationInputs } from './policy.ts'

type OwnersInputs = Omit<DestinationInputs, 'directory' | 'tenant' | 'now'>

/**
 * Payments of the owner's accounts. The approvers of the owner are asked about transactions of their own tenant only,
 * so a payment under review is refused. The requester does not learn the policy.
 *
 * Throws 403 `DESTINATION_NOT_ALLOWED`.
 */
export function checkOwnerPays({ engine, clock }: Platform, owner: string, inputs: OwnersInputs): void {
  const { directory } = engine
  try {
    const { reviews } = decideDestinations({ ...inputs, directory, tenant: owner, now: clock.now() })
    if (reviews.length === 0) return
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw forbidden(
    'DESTINATION_NOT_ALLOWED',
    'another tenant does not pay a destination of the transaction',
    '/itemData',
  )
}
