// Nobody raises his own way past a limit: while a debit waits for approval, neither the key that wants it nor one that it has made since
// changes what the debited account may do (completion 5.4).
import { apiKeyKey, waitingDebitKey } from '../../engine/index-keys.ts'
import { ofKind, type HoldingState } from '../../engine/record.ts'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { forbidden } from '../refusal.ts'

/** Throws 403 `OWN_DEBIT_WAITING`. */
export function checkNoOwnDebitWaits({ engine }: Platform, { caller }: Call, { id }: HoldingState, pointer: string): void {
  const key = ofKind(engine.directory.first(apiKeyKey(caller.keyId))?.head, 'apiKey')?.context
  for (const { head } of engine.directory.find(waitingDebitKey(id))) {
    const transaction = ofKind(head, 'transaction')
    const approval = transaction?.context.approval
    if (transaction === undefined || approval === undefined || approval === null) continue
    const isOwn = approval.requesters.includes(caller.keyId)
    const isMadeByOne =
      key !== undefined && approval.requesters.includes(key.createdBy) && key.createdAt >= transaction.context.fixed.preparedAt
    if (isOwn || isMadeByOne)
      throw forbidden(
        'OWN_DEBIT_WAITING',
        `a debit of this account that this key wants waits for approval: transaction ${head.id}`,
        pointer,
      )
  }
}
