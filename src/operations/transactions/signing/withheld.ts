// Whether anybody outside could complete a transaction.
import { isKeyOnlyHere } from '../../../engine/records/key-origin.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Platform } from '../../context/platform.ts'

/**
 * True if nobody outside can complete the transaction: a required signature can be given by this service alone, and has
 * not left it. The fee payer's signature has left it, because it is the transaction id, which answers show beside the
 * message and which nodes of the cluster are asked for.
 */
export function isWithheld({ engine }: Platform, transaction: RecordState<'transaction'>): boolean {
  const { exposed, asked = [], outside = [] } = engine.payload(transaction)
  if (exposed === true) return false
  const { cluster, context } = transaction
  const elsewhere = new Set([...asked.map(({ address }) => address), ...outside])
  const isShown = (index: number): boolean => index === 0 && context.signature !== null
  return context.fixed.signers.some(
    ({ address }, index) =>
      !isShown(index) && !elsewhere.has(address) && isKeyOnlyHere(engine.directory.ownAtAddress(cluster, address)),
  )
}
