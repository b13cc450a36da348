// Requests for a signature of another tenant's key without a grant (completion 14.10). An organization receives such
// requests only if it has set `acceptsSigningRequests`; otherwise its accounts are addresses without a record to other
// tenants.
import type { Directory } from '../../engine/index/directory.ts'
import { organizationKey, signingRequestKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import { OwnedElsewhere } from '../../engine/records/unit-of-work.ts'
import type { TransactionFixed } from '../../../machines/transaction-record.ts'
import type { Call } from '../../contract/call.ts'
import { Refusal } from '../../contract/refusal.ts'
import { mayPayFeesFor, maySignWith } from './party.ts'

export type Waiting = NonNullable<TransactionFixed['waitsFor']>[number]

/** Open requests of one tenant to all others. */
const MAX_OPEN_REQUESTS = 100
const RETRY_AFTER_SECONDS = 60

/**
 * True if the organization of the record accepts signing requests of other tenants. Organizations of other cells are
 * not asked for: they cannot sign here, and a stranger's record must take no longer than none.
 */
export function acceptsRequests(directory: Directory, { context }: HoldingState): boolean {
  return (
    ofKind(directory.firstOwn(organizationKey(context.organization))?.head, 'organization')?.context
      .acceptsSigningRequests === true
  )
}

/**
 * True if the key of the record is held here and may sign for the caller: it belongs to the caller's tenant, is
 * granted, or belongs to an organization that accepts requests. A key of any other tenant is treated like a key that is
 * not held here (completion 14.11).
 */
export function canComeToSign(
  directory: Directory,
  call: Pick<Call, 'tenant' | 'organization'>,
  state: HoldingState,
): boolean {
  if (!state.context.managed) return false
  return (
    state.tenant === call.tenant ||
    maySignWith(call, state) ||
    mayPayFeesFor(call, state) ||
    acceptsRequests(directory, state)
  )
}

/**
 * The organizations whose managed keys a message needs without a grant: those of the caller's tenant, and those of
 * other tenants that accept requests.
 * Throws `OwnedElsewhere` if one of them is in another cell.
 *
 * @param signers addresses that sign, the fee payer first
 */
export function organizationsAsked(
  directory: Directory,
  call: Call,
  signers: readonly string[],
  vouched?: ReadonlySet<string>,
): readonly Waiting[] {
  const asked = new Map<
    string,
    { readonly tenant: string; readonly organization: string; readonly addresses: string[] }
  >()
  for (const [index, address] of signers.entries()) {
    const granted = index === 0 ? mayPayFeesFor : maySignWith
    for (const { head, place } of directory.atAddress(call.cluster, address)) {
      if (!isHolding(head) || !head.context.managed || vouched?.has(address) === true || granted(call, head)) continue
      if (head.tenant !== call.tenant && !acceptsRequests(directory, head)) continue
      // The transaction is not known in the other cell: nobody could sign it there.
      if (place === 'followed') throw new OwnedElsewhere(head.tenant, call.tenant)
      const { organization } = head.context
      const known = asked.get(organization) ?? { tenant: head.tenant, organization, addresses: [] }
      asked.set(organization, known)
      known.addresses.push(address)
    }
  }
  return [...asked.values()]
}

/** Throws 429 `TOO_MANY_SIGNING_REQUESTS`. */
export function checkRoomForRequest(directory: Directory, { tenant }: Call, asked: readonly Waiting[]): void {
  if (
    asked.every((each) => each.tenant === tenant) ||
    directory.find(signingRequestKey(tenant)).length < MAX_OPEN_REQUESTS
  )
    return
  const message = `more than ${MAX_OPEN_REQUESTS} transactions of this tenant wait for signatures of other tenants`
  throw new Refusal(429, [{ code: 'TOO_MANY_SIGNING_REQUESTS', message, retryable: true }], RETRY_AFTER_SECONDS)
}

/** True if a signature was requested of the organization and is not given yet. */
export function awaitsSignatureOf(
  { tenant, organization }: Pick<Waiting, 'tenant' | 'organization'>,
  transaction: RecordState<'transaction'>,
): boolean {
  const { value, context } = transaction
  if (value !== 'prepared' && value !== 'partiallySigned') return false
  const given = (context.countersigners ?? []).flatMap((each) => (each.tenant === tenant ? each.addresses : []))
  const asked = (context.fixed.waitsFor ?? []).filter(
    (each) => each.tenant === tenant && each.organization === organization,
  )
  return asked.some(({ addresses }) => addresses === undefined || addresses.some((address) => !given.includes(address)))
}

/**
 * True for another tenant's transaction that requested a signature of the caller's organization, while it waits for
 * signatures or after the caller's tenant has signed.
 */
export function isAskedToSign(
  { tenant, organization }: Pick<Call, 'tenant' | 'organization'>,
  transaction: RecordState<'transaction'>,
): boolean {
  const { value, context } = transaction
  const isAsked = (context.fixed.waitsFor ?? []).some(
    (each) => each.tenant === tenant && each.organization === organization,
  )
  if (!isAsked) return false
  return (
    value === 'prepared' ||
    value === 'partiallySigned' ||
    (context.countersigners ?? []).some((each) => each.tenant === tenant)
  )
}

export function isOwn(call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  return tenant === call.tenant && context.fixed.organization === call.organization
}

export function isOfTenant({ tenant }: Call, transaction: RecordState<'transaction'>): boolean {
  return transaction.tenant === tenant
}
