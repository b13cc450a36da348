// Restricts who may pay for the growth of an account: all rent of an account returns to one address when it is
// closed.
import type { HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import { holdingOf, type Party } from '../lookup/party.ts'

/**
 * The growth of an account must be paid by the party that receives its rent: the organization itself, or the fee payer
 * that created it. Throws 400 `FEE_PAYER_NOT_OWN`.
 *
 * @param owed `rentPayer` of the record
 * @param what noun for the error message: "this table"
 */
export function checkRentSide(
  call: Call,
  owed: HoldingState['context']['rentPayer'],
  feePayer: Party,
  what: string,
): void {
  const payer = holdingOf(feePayer)
  const foreign = payer !== null && payer.context.organization !== call.organization
  if (owed === null ? !foreign : owed.address === feePayer.address) return
  throw badRequest(
    'FEE_PAYER_NOT_OWN',
    owed === null
      ? `a fee payer of another organization may not pay the growth of ${what}: its rent would not return to that payer`
      : `the rent of ${what} was paid by ${owed.address}: the same account must pay for its growth`,
    '/chainTransactionConfig/feePayer',
  )
}
