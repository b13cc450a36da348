// Prevents a key from raising the limits that hold back its own debit: while a debit waits for approval, neither the
// requesting key nor a key that it may have obtained since can change the policy of the debited account (completion
// 5.4).
import { apiKeyKey, waitingDebitKey } from '../../../engine/index/index-keys.ts'
import { ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { ApiKeyContext } from '../../../../machines/api-key.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { forbidden } from '../../../contract/refusal.ts'

/** Throws 403 `OWN_DEBIT_WAITING`. */
export function checkNoOwnDebitWaits(
  { platform, call: { caller } }: Context,
  { id }: HoldingState,
  pointer: string,
): void {
  for (const { head } of platform.engine.directory.find(waitingDebitKey(id))) {
    const batch = ofKind(head, 'batch')
    const transaction = ofKind(head, 'transaction')
    const approval = (batch ?? transaction)?.context.approval ?? null
    const since = batch?.context.createdAt ?? transaction?.context.fixed.preparedAt
    if (approval === null || since === undefined) continue
    if (speaksFor(platform, caller.keyId, approval.requesters, since))
      throw forbidden(
        'OWN_DEBIT_WAITING',
        `${batch === undefined ? 'transaction' : 'batch'} ${head.id}, requested by this API key, waits for approval of a debit of this account`,
        pointer,
      )
  }
}

/**
 * True if the key is one of the requesters, was created since by one of them (directly or through other keys), or got a
 * new secret since and was ever rotated by another key, which saw that secret.
 */
function speaksFor({ engine }: Platform, keyId: string, requesters: readonly string[], since: string): boolean {
  for (let each: string | undefined = keyId; each !== undefined;) {
    if (requesters.includes(each)) return true
    const key: ApiKeyContext | undefined = ofKind(engine.directory.firstOwn(apiKeyKey(each))?.head, 'apiKey')?.context
    if (key === undefined) return false
    if (key.rotatedAt !== null && key.rotatedAt >= since && key.approvalsSuspendedUntil !== null) return true
    each = key.createdAt >= since ? key.createdBy : undefined
  }
  return false
}
