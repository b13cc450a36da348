// Renders a transaction for the caller. The organization that owns it sees all of it. An organization whose signature
// it needs sees addresses, and the ids of its own tenant's records and of shared records only.
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Context } from '../context/platform.ts'
import { referTo } from '../lookup/party.ts'
import { isOwn } from '../lookup/signing-requests.ts'
import { seenByTenant } from './read-models/transaction.ts'

export function asShown(
  { platform, call }: Context,
  transaction: RecordState<'transaction'>,
): RecordState<'transaction'> {
  if (isOwn(call, transaction)) return transaction
  const seen = seenByTenant(call, transaction)
  const { context } = seen
  const { fixed } = context
  const refer = ({ address }: AccountRef): AccountRef => referTo({ platform, call }, address)
  const nonceAccount = fixed.nonceAccount === null ? null : refer(fixed.nonceAccount)
  const { externalReference: _own, itemReferences: _also, ...visible } = fixed
  // The references are the client's own and hidden from other tenants.
  const shown = {
    ...(transaction.tenant === call.tenant ? fixed : visible),
    feePayer: refer(fixed.feePayer),
    accounts: fixed.accounts.map(refer),
    nonceAccount,
  }
  return { ...seen, context: { ...context, fixed: shown } }
}
