// The lender who can liquidate an escrow. The lender controls the contents of the escrow, beside the escrow's own key.
import type { Lender } from '../../../machines/loan-books.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { escrowKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'

/**
 * undefined if the owner is not an escrow, or if its loan is closed.
 * @param owner of a token account
 */
export function escrowLender(directory: RecordIndex, cluster: string, owner: string): Lender | undefined {
  const loan = ofKind(directory.firstOwn(escrowKey(cluster, owner))?.head, 'loan')
  return loan === undefined || loan.value === 'closed' ? undefined : loan.context.lender
}
