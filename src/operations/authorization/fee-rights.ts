// Which account may pay the fee of whose transaction. Where the key of a fee payer is kept by nobody here, its own signature is its consent.
import { addressKey, organizationKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { maySignWith, mayPayFeesFor, paysFeesOf } from '../lookup/party.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'

export const FEE_PAYER_POINTER = '/chainTransactionConfig/feePayer'

/** The organization whose transaction it is, and its tenant. */
export type Beneficiary = Pick<Call, 'tenant' | 'organization'>

/**
 * To be asked when a transaction is made. The records of another tenant decide only where they grant the organization something: without a
 * grant its address is like one that nobody has onboarded.
 *
 * Throws 400 `FEE_PAYER_NOT_ALLOWED`.
 */
export function checkFeePayer(platform: Platform, call: Beneficiary & Pick<Call, 'cluster'>, address: string, pointer = FEE_PAYER_POINTER): void {
  for (const { head } of platform.engine.directory.find(addressKey(call.cluster, address))) {
    if (!isHolding(head) || !head.context.managed) continue
    const isConcerned = head.tenant === call.tenant || maySignWith(call, head) || mayPayFeesFor(call, head)
    if (isConcerned) checkPays(platform, call, head, pointer)
  }
}

/** To be asked of the account that signs as fee payer. Throws 400 `FEE_PAYER_NOT_ALLOWED`. */
export function checkPays(platform: Platform, beneficiary: Beneficiary, payer: HoldingState, pointer?: string): void {
  const { organization } = beneficiary
  const { address } = payer.context
  if (!paysFeesOf(organization, payer)) throw feePayerNotAllowed(organization, payer, pointer)
  if (!accepts(platform, beneficiary, payer)) {
    const rule = "the fee payer of another tenant has to be listed in the organization's `acceptedFeePayers`"
    throw badRequest('FEE_PAYER_NOT_ALLOWED', `${organization} has not accepted ${address}: ${rule}`, pointer)
  }
}

export function feePayerNotAllowed(organization: string, { context: { address } }: HoldingState, pointer?: string): Refusal {
  const rule = 'a fee payer needs `canPayFees`, or the organization in `globalFeePayerForOrgs`'
  return badRequest('FEE_PAYER_NOT_ALLOWED', `${address} may not pay fees of ${organization}: ${rule}`, pointer)
}

/** The organization lets the account pay for it: one of its own tenant or of the system tenant, or one that it has accepted. */
export function accepts({ engine }: Platform, { tenant, organization }: Beneficiary, payer: HoldingState): boolean {
  if (payer.tenant === tenant || payer.tenant === SYSTEM_TENANT) return true
  const record = ofKind(engine.directory.first(organizationKey(organization))?.head, 'organization')
  return record?.context.acceptedFeePayers?.includes(payer.context.address) === true
}

/** The account's own list of API keys lets the key have it pay: it is listed, or the organization is named as a beneficiary of fees. */
export function admitsFees({ solDebitApiKeys, networkCurrencyDebitLimits }: HoldingState['context'], keyId: string, organization: string): boolean {
  if (solDebitApiKeys === null || solDebitApiKeys.length === 0 || solDebitApiKeys.includes(keyId)) return true
  return (networkCurrencyDebitLimits ?? []).some(({ organizationExternalId }) => organizationExternalId === organization)
}
