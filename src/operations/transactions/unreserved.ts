// The records on which a partly signed message reserves nothing yet. Any organization of a tenant can make a message
// that takes something out of an account of another one, and sign it with its own fee payer; under a nonce such a
// message stays open until its maker cancels it. It lands only with the signature of that account, and reserves then.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'

type Transaction = RecordState<'transaction'>

/**
 * Ids of the records of other organizations of the tenant whose key, or whose owner's, is required and has not signed.
 *
 * @param hasSigned true also of a key whose remote signer was asked
 */
export function unreservedRecords(
  directory: RecordIndex,
  { tenant, context: { fixed } }: Transaction,
  hasSigned: (address: string) => boolean,
): readonly string[] {
  const missing = fixed.signers.map(({ address }) => address).filter((address) => !hasSigned(address))
  if (missing.length === 0) return []
  return fixed.entries
    .filter((entry) => entry.tenant === tenant && entry.movements.some(({ released }) => released !== '0'))
    .map(({ record }) => record)
    .filter((record) => {
      const holder = holderOf(directory, record)
      return holder !== null && missing.includes(holder.address) && holder.organization !== fixed.organization
    })
}

interface Holder {
  readonly address: string
  readonly organization: string
}

/** The account whose key takes something out of the record. null: of a kind that has no key or owner of its own. */
function holderOf(directory: RecordIndex, record: string): Holder | null {
  const head = directory.resident(record)?.head
  const account = ofKind(head, 'account')
  if (account !== undefined) return account.context
  const position = ofKind(head, 'position')
  if (position === undefined) return null
  const { tenant, cluster, context } = position
  const { address } = context.owner
  const [wallet] = ownRecordsAt(directory, tenant, cluster, address)
    .map((entry) => entry.head)
    .filter(isHolding)
  return { address, organization: (wallet ?? position).context.organization }
}
