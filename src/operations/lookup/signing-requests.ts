// Requests for a signature of another tenant's key without a grant. An organization receives such
// requests only if it has set `acceptsSigningRequests`; otherwise its accounts are addresses without a record to other
// tenants.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { organizationKey, signingRequestKey } from '../../engine/index/index-keys.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { AwaitedSignature } from '../../engine/records/signing-request.ts'
import type { Call } from '../../contract/call.ts'
import { Refusal } from '../../contract/refusal.ts'
import { mayPayFeesFor, maySignWith } from './party.ts'

/** Open requests of one tenant to all others. */
const MAX_OPEN_REQUESTS = 100
const RETRY_AFTER_SECONDS = 60

/**
 * True if the organization of the record accepts signing requests of other tenants. Throws `NotAtHand` for one of
 * another cell: call `needOwners` first.
 */
export function acceptsRequests(directory: RecordIndex, { context }: HoldingState): boolean {
  return (
    ofKind(directory.first(organizationKey(context.organization))?.head, 'organization')?.context
      .acceptsSigningRequests === true
  )
}

/**
 * Throws `NotAtHand` for the organizations of other cells that have records at the addresses. To prevent a timing
 * difference between a stranger's record and no record, an address without a record requests a key that never exists.
 */
export function needOwners(
  directory: RecordIndex,
  call: Pick<Call, 'cluster' | 'tenant' | 'organization'>,
  addresses: readonly string[],
): void {
  const isUsable = (state: HoldingState): boolean =>
    state.tenant === call.tenant || maySignWith(call, state) || mayPayFeesFor(call, state)
  directory.need(() =>
    addresses.flatMap((address) => {
      const entries = directory.atAddress(call.cluster, address)
      if (entries.some(({ head }) => isHolding(head) && isUsable(head))) return []
      const owners = entries.flatMap(({ head, place }) =>
        place === 'followed' && isHolding(head) ? [head.context.organization] : [],
      )
      return (owners.length > 0 ? owners : [address]).map(organizationKey)
    }),
  )
}

/**
 * True if the key of the record is managed and may sign for the caller: it belongs to the caller's tenant, is granted,
 * or belongs to an organization that accepts requests. A key of any other tenant is treated like a key that is not
 * managed.
 */
export function canComeToSign(
  directory: RecordIndex,
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

/** True if `canComeToSign` is true of a record at the address. Throws `NotAtHand` as `needOwners` does. */
export function canAddressComeToSign(directory: RecordIndex, call: Call, address: string): boolean {
  needOwners(directory, call, [address])
  return directory
    .atAddress(call.cluster, address)
    .some(({ head }) => isHolding(head) && canComeToSign(directory, call, head))
}

/**
 * The organizations whose managed keys a message needs without a grant: those of the caller's tenant, and those of
 * other tenants that accept requests.
 *
 * @param signers addresses that sign, the fee payer first
 */
export function organizationsAsked(
  directory: RecordIndex,
  call: Call,
  signers: readonly string[],
  vouched?: ReadonlySet<string>,
): readonly AwaitedSignature[] {
  const requested = new Map<
    string,
    { readonly tenant: string; readonly organization: string; readonly addresses: string[] }
  >()
  for (const [index, address] of signers.entries()) {
    const granted = index === 0 ? mayPayFeesFor : maySignWith
    for (const { head } of directory.atAddress(call.cluster, address)) {
      if (!isHolding(head) || !head.context.managed || vouched?.has(address) === true || granted(call, head)) continue
      if (head.tenant !== call.tenant && !acceptsRequests(directory, head)) continue
      const { organization } = head.context
      const known = requested.get(organization) ?? { tenant: head.tenant, organization, addresses: [] }
      requested.set(organization, known)
      known.addresses.push(address)
    }
  }
  return [...requested.values()]
}

/** Throws 429 `TOO_MANY_SIGNING_REQUESTS`. */
export function checkRoomForRequest(
  directory: RecordIndex,
  { tenant }: Call,
  requested: readonly AwaitedSignature[],
): void {
  if (
    requested.every((each) => each.tenant === tenant) ||
    directory.find(signingRequestKey(tenant)).length < MAX_OPEN_REQUESTS
  )
    return
  const message = `more than ${MAX_OPEN_REQUESTS} transactions of this tenant wait for signatures of other tenants`
  throw new Refusal(429, [{ code: 'TOO_MANY_SIGNING_REQUESTS', message, retryable: true }], RETRY_AFTER_SECONDS)
}

export function isOwn(call: Call, { tenant, context }: RecordState<'transaction'>): boolean {
  return tenant === call.tenant && context.fixed.organization === call.organization
}

export function isOfTenant({ tenant }: Call, transaction: RecordState<'transaction'>): boolean {
  return transaction.tenant === tenant
}
