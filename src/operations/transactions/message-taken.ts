// Whether another transaction has a message. Two cells can make the same message only if both can sign for its fee
// payer; they claim it before they sign it.
import { messageClaimKey } from '../../engine/index/index-keys.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'

export interface AskedMessage {
  readonly cluster: string
  readonly hash: string
  /** null: others made the message, and may give it to any cell. */
  readonly feePayer: string | null
}

/** Throws `NotAtHand`. */
export function isMessageTaken({ engine }: Platform, { cluster, hash, feePayer }: AskedMessage): boolean {
  if (engine.store.transactionOfMessage(cluster, hash) !== undefined) return true
  const { names } = engine.store
  if (names?.hasNeighbours() === true && (feePayer === null || isPayerShared(engine, cluster, feePayer)))
    names.claim(messageClaimKey(cluster, hash), [{ read: 'message', cluster, hash }])
  return false
}

/** True if another cell has the key, or may ask for its signature. */
function isPayerShared(engine: Platform['engine'], cluster: string, feePayer: string): boolean {
  return engine.directory.atAddress(cluster, feePayer).some(({ head }) => {
    if (!isHolding(head) || !head.context.managed) return false
    const { orgsAllowedToSignWithPrivateKey: signing, globalFeePayerForOrgs: paying } = head.context
    return !engine.owns(head.tenant) || (signing ?? []).length > 0 || (paying ?? []).length > 0
  })
}
