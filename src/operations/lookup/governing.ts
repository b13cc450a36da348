// Decides which records of an address govern a transaction. Several tenants may have a record of one address; only
// those of the caller's tenant and of a tenant whose key consents govern it. Any other record observes the account and
// blocks nothing.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/records/record.ts'
import { ownRecordsAt } from './whose-records.ts'

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
 * True if what the organization of the record decides binds the owner of the account: limits, lists of API keys,
 * policies and freezes. Any organization of a tenant can record a position of another organization's wallet: only the
 * organization of the wallet, or the root of the tenant, binds it. Records other than positions bind, and so does a
 * position whose owner has no record in the tenant.
 */
export function bindsOwner(records: Pick<RecordIndex, 'ownAtAddress'>, state: HoldingState): boolean {
  const { tenant, cluster, context } = state
  const { organization } = context
  const owner = ofKind(state, 'position')?.context.owner.address
  if (owner === undefined || organization === tenant) return true
  const wallets = ownRecordsAt(records, tenant, cluster, owner)
  return (
    wallets.length === 0 || wallets.some(({ head }) => isHolding(head) && head.context.organization === organization)
  )
}
