// Transactions of other cells that ask an organization for signatures, as their owners committed them a moment ago.
// They are shown from here; whatever is done to them is done by their owner.
import {
  requestIdKey,
  requestMessageKey,
  requestSignatureKey,
  requestsToKey,
} from '../../engine/index/elsewhere-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { isAskedToSign } from '../../engine/records/signing-request.ts'
import type { Context } from '../context/platform.ts'

/** How a request names a transaction. */
export type RequestName = { readonly id: string } | { readonly signature: string } | { readonly messageHash: string }

/** Those that wait for a signature of the caller's organization. Throws `NotAtHand`. */
export function requestsElsewhere(context: Context): readonly RecordState<'transaction'>[] {
  return transactionsUnder(context, requestsToKey(context.call.cluster, context.call))
}

/** The transaction, if the caller's organization is asked to sign it. Throws `NotAtHand`. */
export function requestElsewhere(context: Context, name: RequestName): RecordState<'transaction'> | undefined {
  const { call } = context
  const [found] = transactionsUnder(context, keyOf(call.cluster, name))
  return found?.cluster === call.cluster && isAskedToSign(call, found) ? found : undefined
}

function keyOf(cluster: string, name: RequestName): string {
  if ('id' in name) return requestIdKey(name.id)
  return 'signature' in name
    ? requestSignatureKey(cluster, name.signature)
    : requestMessageKey(cluster, name.messageHash)
}

function transactionsUnder({ platform }: Context, key: string): readonly RecordState<'transaction'>[] {
  return platform.engine.directory.find(key).flatMap(({ head }) => ofKind(head, 'transaction') ?? [])
}
