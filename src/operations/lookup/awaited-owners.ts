// Messages that wait for a decision of another organization. Any organization of a tenant can make a message that
// changes something of another one, sign it with its own fee payer, and keep it open: under a nonce, for any length of
// time.
import type { Engine } from '../../engine/engine.ts'
import { isHolding, ofKind, type RecordState } from '../../engine/records/record.ts'
import { mayPayFeesFor, maySignWith } from './party.ts'
import { ownRecordsAt } from './whose-records.ts'

/**
 * True if the message lacks the signature of a key of another organization of its tenant, whose use its maker does not
 * decide about, and nobody has asked for that signature. Without it the message changes nothing.
 *
 * Throws `NotAtHand`.
 */
export function awaitsOtherOwner(engine: Engine, message: RecordState): boolean {
  const transaction = ofKind(message, 'transaction')
  if (transaction === undefined || transaction.context.complete) return false
  const { fixed } = transaction.context
  const theirs = fixed.signers.map(({ address }, index) => isTheirs(engine, transaction, address, index === 0))
  if (!theirs.includes(true)) return false
  if (transaction.value === 'prepared') return true
  const { signatures, asked = [] } = engine.payload(transaction)
  return fixed.signers.some(
    ({ address }, index) =>
      theirs[index] === true &&
      (signatures?.[index] ?? null) === null &&
      !asked.some((each) => each.address === address),
  )
}

function isTheirs(
  { directory }: Engine,
  { tenant, cluster, context }: RecordState<'transaction'>,
  address: string,
  isFeePayer: boolean,
): boolean {
  const maker = { tenant, organization: context.fixed.organization }
  const managed = ownRecordsAt(directory, tenant, cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
    .filter((head) => head.context.managed)
  return managed.length > 0 && !managed.some((head) => (isFeePayer ? mayPayFeesFor : maySignWith)(maker, head))
}
