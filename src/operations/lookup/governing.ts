// Decides which records of an address govern a transaction. Several tenants may have a record of one address; only
// those of the caller's tenant and of a tenant whose key consents govern it. Any other record observes the account and
// blocks nothing.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'

/**
 * True if reservations and restrictions of the record count in a transaction of `tenant` that `consenting` sign.
 * Consent is required because otherwise a message that names an account without its signature would reserve its
 * balance.
 */
export function governs(
  records: Pick<RecordIndex, 'atAddress'>,
  tenant: string,
  consenting: readonly string[],
  state: HoldingState,
): boolean {
  return state.tenant === tenant || consents(records, consenting, state)
}

/** True if the tenant of the record consents with a key of its own. */
export function consents(
  records: Pick<RecordIndex, 'atAddress'>,
  consenting: readonly string[],
  state: HoldingState,
): boolean {
  if (consenting.includes(state.context.address)) return state.context.managed
  const owner = ofKind(state, 'position')?.context.owner.address
  if (owner === undefined || !consenting.includes(owner)) return false
  return records
    .atAddress(state.cluster, owner)
    .some(({ head }) => head.tenant === state.tenant && isHolding(head) && head.context.managed)
}

/**
 * True if limits and API key lists of the position's record bind its owner. Any organization of a tenant can record a
 * position of another organization's wallet: only the organization of the wallet, or the root of the tenant, binds it.
 *
 * @param wallets the records of the owner in the tenant of the position; without any, each position binds
 */
export function bindsOwner({ tenant, context }: HoldingState, wallets: readonly HoldingState[]): boolean {
  const { organization } = context
  return (
    organization === tenant ||
    wallets.length === 0 ||
    wallets.some((each) => each.context.organization === organization)
  )
}
