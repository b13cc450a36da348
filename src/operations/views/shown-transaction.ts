// A transaction as the caller may see it: whole to the organization that made it; to one whose key it needs, with the addresses, and the ids
// of records that are its own or shared.
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { referTo } from '../lookup/refer.ts'
import { isOwn } from '../lookup/signing-requests.ts'

export function asShown(platform: Platform, call: Call, transaction: RecordState<'transaction'>): RecordState<'transaction'> {
  if (isOwn(call, transaction)) return transaction
  const { context } = transaction
  const { fixed } = context
  const refer = ({ address }: AccountRef): AccountRef => referTo(platform, call, address)
  const nonceAccount = fixed.nonceAccount === null ? null : refer(fixed.nonceAccount)
  const { externalReference, ...known } = fixed
  // The reference is the client's own, and says nothing to other tenants.
  const reference = externalReference === undefined || transaction.tenant !== call.tenant ? {} : { externalReference }
  const shown = { ...known, ...reference, feePayer: refer(fixed.feePayer), accounts: fixed.accounts.map(refer), nonceAccount }
  return { ...transaction, context: { ...context, fixed: shown } }
}
