// The organizations that a transaction asks for signatures without a grant, and what they may see of
// it. Pure: determines the names by which other cells find the transaction, and what operations show.
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import type { RecordState } from './record.ts'

export type AwaitedSignature = NonNullable<TransactionFixed['waitsFor']>[number]

type Party = Pick<AwaitedSignature, 'tenant' | 'organization'>

/** True while signatures are missing. Checked first, because an ended transaction must parse its fixed part. */
function lacksSignatures({ value }: Pick<RecordState<'transaction'>, 'value'>): boolean {
  return value === 'prepared' || value === 'partiallySigned'
}

/** True if a signature was requested from the organization and is still missing. */
export function awaitsSignatureOf({ tenant, organization }: Party, transaction: RecordState<'transaction'>): boolean {
  if (!lacksSignatures(transaction)) return false
  const { context } = transaction
  const signedAddresses = (context.countersigners ?? []).flatMap((each) =>
    each.tenant === tenant ? each.addresses : [],
  )
  const requests = (context.fixed.waitsFor ?? []).filter(
    (each) => each.tenant === tenant && each.organization === organization,
  )
  return requests.some(
    ({ addresses }) => addresses === undefined || addresses.some((address) => !signedAddresses.includes(address)),
  )
}

/**
 * True for another tenant's transaction that requested a signature from the organization, while it waits for signatures
 * or after the tenant has signed.
 */
export function isAskedToSign({ tenant, organization }: Party, transaction: RecordState<'transaction'>): boolean {
  const { context } = transaction
  const hasSigned = (context.countersigners ?? []).some((each) => each.tenant === tenant)
  if (!hasSigned && !lacksSignatures(transaction)) return false
  return (context.fixed.waitsFor ?? []).some((each) => each.tenant === tenant && each.organization === organization)
}

/** The organizations of other tenants that may see the transaction now. */
export function otherOrganizationsAsked(transaction: RecordState<'transaction'>): readonly AwaitedSignature[] {
  const { tenant, context } = transaction
  if (!lacksSignatures(transaction) && (context.countersigners ?? []).length === 0) return NO_ORGANIZATIONS
  const { waitsFor } = context.fixed
  if (waitsFor === undefined) return NO_ORGANIZATIONS
  return waitsFor.filter((each) => each.tenant !== tenant && isAskedToSign(each, transaction))
}

const NO_ORGANIZATIONS: readonly AwaitedSignature[] = []
