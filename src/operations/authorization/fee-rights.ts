// Decides which account may pay the fees of which organization. If the key of a fee payer is not held here, its
// signature is its consent.
import { organizationKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Call } from '../../contract/call.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { maySignWith, mayPayFeesFor, paysFeesOf } from '../lookup/party.ts'
import { needAddresses } from '../lookup/request-records.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'

export const FEE_PAYER_POINTER = '/chainTransactionConfig/feePayer'

/** The organization that owns the transaction, and its tenant. */
export type Beneficiary = Pick<Call, 'tenant' | 'organization'>

/**
 * Called when a transaction is created. Records of another tenant count only if they grant the organization something:
 * without a grant, the address is treated like an address without a record.
 *
 * Throws 400 `FEE_PAYER_NOT_ALLOWED`.
 */
export function checkFeePayer(
  records: RecordIndex,
  call: Beneficiary & Pick<Call, 'cluster'>,
  address: string,
  pointer = FEE_PAYER_POINTER,
): void {
  for (const { head } of records.atAddress(call.cluster, address)) {
    if (!isHolding(head) || !head.context.managed) continue
    const isConcerned = head.tenant === call.tenant || maySignWith(call, head) || mayPayFeesFor(call, head)
    if (isConcerned) checkPays(records, call, head, pointer)
  }
}

/** Called for the account that signs as fee payer. Throws 400 `FEE_PAYER_NOT_ALLOWED`. */
export function checkPays(records: RecordIndex, beneficiary: Beneficiary, payer: HoldingState, pointer?: string): void {
  const { organization } = beneficiary
  const { address } = payer.context
  if (!paysFeesOf(organization, payer)) throw feePayerNotAllowed(organization, payer, pointer)
  if (!accepts(records, beneficiary, payer)) {
    const rule = 'a fee payer of another tenant must be listed in `acceptedFeePayers` of the organization'
    throw badRequest('FEE_PAYER_NOT_ALLOWED', `${organization} has not accepted ${address}: ${rule}`, pointer)
  }
}

export function feePayerNotAllowed(
  organization: string,
  { context: { address } }: HoldingState,
  pointer?: string,
): Refusal {
  const rule = 'a fee payer requires `canPayFees`, or the organization in `globalFeePayerForOrgs`'
  return badRequest('FEE_PAYER_NOT_ALLOWED', `${address} may not pay fees of ${organization}: ${rule}`, pointer)
}

/**
 * True if the payer belongs to the organization's tenant or the system tenant, or is in the organization's
 * `acceptedFeePayers`.
 */
export function accepts(records: RecordIndex, { tenant, organization }: Beneficiary, payer: HoldingState): boolean {
  if (payer.tenant === tenant || payer.tenant === SYSTEM_TENANT) return true
  return acceptedFeePayers(records, organization).includes(payer.context.address)
}

/** Accounts that grant the organization their fees and whose addresses it has accepted. Throws `NotAtHand`. */
export function acceptedGrants(
  records: RecordIndex,
  { cluster, organization }: Pick<Call, 'cluster' | 'organization'>,
): Entry[] {
  const addresses = acceptedFeePayers(records, organization)
  needAddresses(records, cluster, addresses)
  return addresses
    .flatMap((address) => records.atAddress(cluster, address))
    .filter(({ head }) => isHolding(head) && head.context.globalFeePayerForOrgs?.includes(organization) === true)
}

/** Addresses of other tenants' accounts that may pay fees of the organization. */
function acceptedFeePayers(records: RecordIndex, organization: string): readonly string[] {
  return ofKind(records.first(organizationKey(organization))?.head, 'organization')?.context.acceptedFeePayers ?? []
}

/**
 * True if the account lets the API key spend fees: it lists no keys, lists this key, or has a debit limit that names
 * the organization as a beneficiary of fees.
 */
export function admitsFees(
  { solDebitApiKeys, networkCurrencyDebitLimits }: HoldingState['context'],
  keyId: string,
  organization: string,
): boolean {
  if (solDebitApiKeys === null || solDebitApiKeys.length === 0 || solDebitApiKeys.includes(keyId)) return true
  return (networkCurrencyDebitLimits ?? []).some(
    ({ organizationExternalId }) => organizationExternalId === organization,
  )
}
