// Finds the transaction of a signing request: one of the caller's organization, or one that needs a key of the
// caller.
import { addressKey } from '../../../engine/index/index-keys.ts'
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { mayPayFeesFor, maySignWith } from '../../lookup/party.ts'
import type { Signatures } from '../submit.ts'
import { isAskedToSign, isOfTenant, isOwn } from '../../lookup/signing-requests.ts'

export interface NamedTransaction {
  readonly entry: Entry
  readonly transaction: RecordState<'transaction'>
}

/** Throws 400 `TRANSACTION_NOT_FOUND`. */
export function signableTransaction(
  platform: Platform,
  call: Call,
  offchainId: string,
  pointer: string,
): NamedTransaction {
  const named = findSignable(platform, call, offchainId)
  if (named === undefined)
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', pointer)
  return named
}

export function findSignable(platform: Platform, call: Call, offchainId: string): NamedTransaction | undefined {
  const entry = platform.engine.directory.byId(offchainId)
  const transaction = ofKind(entry?.committed === undefined ? undefined : entry.head, 'transaction')
  if (
    entry === undefined ||
    transaction === undefined ||
    transaction.cluster !== call.cluster ||
    !concerns(platform, call, transaction)
  ) {
    return undefined
  }
  return { entry, transaction }
}

function concerns(platform: Platform, call: Call, transaction: RecordState<'transaction'>): boolean {
  if (isOwn(call, transaction)) return true
  return isOfTenant(call, transaction)
    ? keysOf(platform, call, transaction).length > 0
    : isAskedToSign(call, transaction)
}

/**
 * True if the caller may read the transaction: its own; one of the same tenant that needs a key of the caller's
 * organization, while signatures are missing or if the key signs without a grant; one of another tenant that the
 * caller is asked to sign.
 */
export function maySeeTransaction(platform: Platform, call: Call, transaction: RecordState<'transaction'>): boolean {
  if (isOwn(call, transaction)) return true
  if (!isOfTenant(call, transaction)) return isAskedToSign(call, transaction)
  const { tenant, value, context } = transaction
  const maker = { tenant, organization: context.fixed.organization }
  const isGranted = (state: HoldingState): boolean =>
    state.context.address === context.fixed.feePayer.address ? mayPayFeesFor(maker, state) : maySignWith(maker, state)
  const waits = value === 'prepared' || value === 'partiallySigned'
  // A grant to sign with an account gives no right to read its owner's transactions.
  const isOwned = (state: HoldingState): boolean =>
    state.tenant === call.tenant && state.context.organization === call.organization
  return keysOf(platform, call, transaction).some((state) => isOwned(state) && (waits || !isGranted(state)))
}

/** Records of signers with keys stored here that the caller may use. */
function keysOf(platform: Platform, call: Call, { context }: RecordState<'transaction'>): HoldingState[] {
  return context.fixed.signers.flatMap(({ address }) =>
    platform.engine.directory
      .find(addressKey(call.cluster, address))
      .map(({ head }) => head)
      .filter(isHolding)
      .filter((head) => head.context.managed && maySignWith(call, head)),
  )
}

/**
 * The signatures a caller may receive: the organization that made the transaction receives all of them, others only
 * those of keys that they may use.
 */
export function shownTo(
  platform: Platform,
  call: Call,
  transaction: RecordState<'transaction'>,
  signatures: Signatures,
): Signatures {
  if (isOwn(call, transaction)) return signatures
  const theirs = new Set(keysOf(platform, call, transaction).map(({ context }) => context.address))
  return transaction.context.fixed.signers.map(({ address }, index) =>
    theirs.has(address) ? (signatures[index] ?? null) : null,
  )
}
