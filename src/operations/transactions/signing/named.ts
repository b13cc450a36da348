// Finds the transaction of a signing request: one of the caller's organization, or one that needs a key of the
// caller.
import type { Entry } from '../../../engine/records/entry.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../../engine/records/record.ts'
import { isAskedToSign } from '../../../engine/records/signing-request.ts'
import type { Call } from '../../../contract/call.ts'
import type { Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { mayPayFeesFor, maySignWith } from '../../lookup/party.ts'
import type { Signatures } from '../submit.ts'
import { isOfTenant, isOwn } from '../../lookup/signing-requests.ts'

export interface NamedTransaction {
  readonly entry: Entry
  readonly transaction: RecordState<'transaction'>
}

/** Throws 400 `TRANSACTION_NOT_FOUND`. */
export function signableTransaction(context: Context, offchainId: string, pointer: string): NamedTransaction {
  const named = findSignable(context, offchainId)
  if (named === undefined)
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction of this organization', pointer)
  return named
}

export function findSignable(context: Context, offchainId: string): NamedTransaction | undefined {
  const { platform, call } = context
  const entry = platform.engine.directory.byId(offchainId)
  const transaction = ofKind(entry?.committed === undefined ? undefined : entry.head, 'transaction')
  if (
    entry === undefined ||
    transaction === undefined ||
    transaction.cluster !== call.cluster ||
    // Every cell can find cold records of the others.
    !platform.engine.owns(transaction.tenant) ||
    !concerns(context, transaction)
  ) {
    return undefined
  }
  return { entry, transaction }
}

function concerns(context: Context, transaction: RecordState<'transaction'>): boolean {
  const { call } = context
  if (isOwn(call, transaction)) return true
  return isOfTenant(call, transaction) ? keysOf(context, transaction).length > 0 : isAskedToSign(call, transaction)
}

/**
 * True if the caller may read the transaction: its own; one of the same tenant that needs a key of the caller's
 * organization, while signatures are missing or if the key signs without a grant; one of another tenant that the
 * caller is asked to sign.
 */
export function maySeeTransaction(context: Context, transaction: RecordState<'transaction'>): boolean {
  if (!isOfTenant(context.call, transaction)) return isAskedToSign(context.call, transaction)
  const { value } = transaction
  const { organization, feePayer, signers } = transaction.context.fixed
  const isWaiting = value === 'prepared' || value === 'partiallySigned'
  const addresses = signers.map(({ address }) => address)
  return maySeeOfTenant(context, { organization, feePayer: feePayer.address, signers: addresses, isWaiting })
}

export interface TransactionOfTenant {
  /** The organization that made the transaction. */
  readonly organization: string
  /** Address. */
  readonly feePayer: string
  /** Addresses. */
  readonly signers: readonly string[]
  /** Signatures are missing. */
  readonly isWaiting: boolean
}

/** `maySeeTransaction` for a transaction of the caller's tenant. */
export function maySeeOfTenant(
  { platform, call }: Context,
  { organization, feePayer, signers, isWaiting }: TransactionOfTenant,
): boolean {
  if (organization === call.organization) return true
  const maker = { tenant: call.tenant, organization }
  const isGranted = (state: HoldingState): boolean =>
    state.context.address === feePayer ? mayPayFeesFor(maker, state) : maySignWith(maker, state)
  // A grant to sign with an account gives no right to read its owner's transactions.
  const isOwned = (state: HoldingState): boolean =>
    state.tenant === call.tenant && state.context.organization === call.organization
  return keysAt({ platform, call }, signers).some((state) => isOwned(state) && (isWaiting || !isGranted(state)))
}

/** Records of signers with keys stored here that the caller may use. */
function keysOf(context: Context, transaction: RecordState<'transaction'>): HoldingState[] {
  return keysAt(
    context,
    transaction.context.fixed.signers.map(({ address }) => address),
  )
}

function keysAt({ platform, call }: Context, addresses: readonly string[]): HoldingState[] {
  return addresses.flatMap((address) =>
    platform.engine.directory
      .ownAtAddress(call.cluster, address)
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
  { platform, call }: Context,
  transaction: RecordState<'transaction'>,
  signatures: Signatures,
): Signatures {
  if (isOwn(call, transaction)) return signatures
  const { waitsFor = [] } = transaction.context.fixed
  // The keys of a caller of another cell have no records here.
  const requests = call.servedFor === undefined ? [] : waitsFor.filter((each) => isOfOrganization(call, each))
  const visibleAddresses = new Set([
    ...keysOf({ platform, call }, transaction).map(({ context }) => context.address),
    ...requests.flatMap(({ addresses = [] }) => addresses),
  ])
  return transaction.context.fixed.signers.map(({ address }, index) =>
    visibleAddresses.has(address) ? (signatures[index] ?? null) : null,
  )
}

function isOfOrganization(
  { tenant, organization }: Call,
  each: { readonly tenant: string; readonly organization: string },
): boolean {
  return each.tenant === tenant && each.organization === organization
}
