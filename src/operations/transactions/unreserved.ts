// The records on which a message reserves nothing yet, and against whose debit limits it does not count. Any
// organization of a tenant can make a message that takes something out of a record of another one, and sign it with its
// own fee payer; under a nonce such a message stays open until its maker cancels it. It reserves there, and counts,
// with the signature of the account that holds the record.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { Debit } from '../../../machines/debit-limits.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'

type Transaction = RecordState<'transaction'>
type Records = Pick<RecordIndex, 'resident' | 'ownAtAddress'>

/**
 * Ids of the records of other organizations of the tenant whose holder has not signed. One that never has to sign, as
 * with a permanent delegate, leaves the amount to the chain.
 *
 * @param debits what counts against debit limits
 * @param hasSigned true also of a key whose remote signer was asked
 */
export function unreservedRecords(
  records: Records,
  { tenant, context: { fixed } }: Transaction,
  debits: readonly Debit[],
  hasSigned: (address: string) => boolean,
): readonly string[] {
  const reduced = fixed.entries.filter(
    (entry) => entry.tenant === tenant && entry.movements.some(({ released }) => released !== '0'),
  )
  return [...new Set([...reduced, ...debits].map(({ record }) => record))].filter((record) => {
    const head = records.resident(record)?.head
    if (head === undefined || !isHolding(head)) return false
    const holder = holderOf(head)
    if (holder !== null && hasSigned(holder)) return false
    return organizationOf(records, head, holder) !== fixed.organization
  })
}

/** The address whose key takes something out of the record; null: there is none. */
function holderOf(head: HoldingState): string | null {
  switch (head.kind) {
    case 'account':
      return head.context.address
    case 'position':
      return head.context.owner.address
    case 'nonce':
      return head.context.authority.address
    case 'lookupTable':
      return head.context.authority?.address ?? null
    case 'instrument':
      return head.context.authorities.closingAuthority?.address ?? null
    case 'dataSource':
      return null
  }
}

/** That of the holder, if its key is here: any organization can record an account whose key is not. */
function organizationOf(records: Records, { tenant, cluster, context }: HoldingState, holder: string | null) {
  const known = holder === null ? [] : ownRecordsAt(records, tenant, cluster, holder).map(({ head }) => head)
  const managed = known.filter(isHolding).find((head) => head.context.managed)
  return (managed?.context ?? context).organization
}
