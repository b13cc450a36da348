// Transactions of other cells that need signatures of an organization, as their owners committed them a moment ago.
// This cell only reads them; their owners execute all commands.
import {
  requestIdKey,
  requestMessageKey,
  requestSignatureKey,
  requestsToKey,
} from '../../engine/index/other-cell-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { isAskedToSign } from '../../engine/records/signing-request.ts'
import type { Context } from '../context/platform.ts'

/** How a request names a transaction. */
export type RequestName = { readonly id: string } | { readonly signature: string } | { readonly messageHash: string }

/** The transactions that wait for a signature of the caller's organization. Throws `NotAtHand`. */
export function requestsOfOtherCells(context: Context): readonly RecordState<'transaction'>[] {
  return transactionsUnder(context, requestsToKey(context.call.cluster, context.call))
}

/** The transaction, if it needs a signature of the caller's organization. Throws `NotAtHand`. */
export function requestOfOtherCell(context: Context, name: RequestName): RecordState<'transaction'> | undefined {
  const { call } = context
  const [transaction] = transactionsUnder(context, keyOf(call.cluster, name))
  return transaction?.cluster === call.cluster && isAskedToSign(call, transaction) ? transaction : undefined
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
