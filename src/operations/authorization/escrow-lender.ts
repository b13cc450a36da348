// Who lends on what an escrow holds: its lender can liquidate it, so that the lender controls it beside the key of the escrow.
import type { Lender } from '../../../machines/loan-books.ts'
import type { Directory } from '../../engine/index/directory.ts'
import { escrowKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'

/** undefined: the owner is no escrow, or its loan is closed. @param owner of a token account */
export function escrowLender(directory: Directory, cluster: string, owner: string): Lender | undefined {
  const loan = ofKind(directory.first(escrowKey(cluster, owner))?.head, 'loan')
  return loan === undefined || loan.value === 'closed' ? undefined : loan.context.lender
}
