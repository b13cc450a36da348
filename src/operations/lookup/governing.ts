// Several tenants may have a record of one address. Those that decide what happens with it are the caller's own, and those of a tenant
// whose key consents. Anybody may take note of any address: a note keeps books of what it sees, and stops nobody.
import type { Listings } from '../../engine/index/listing.ts'
import { ofKind, type HoldingState } from '../../engine/records/record.ts'

/**
 * True if reservations and restrictions of the record count in a transaction of `tenant` to which `consenting` give their signatures.
 * Consent is needed, for else a message that names somebody's account without his signature would tie up his balance.
 */
export function governs(listings: Listings, tenant: string, consenting: readonly string[], state: HoldingState): boolean {
  return state.tenant === tenant || consents(listings, consenting, state)
}

/** True if the record's tenant gives its consent with a key of its own. */
export function consents(listings: Listings, consenting: readonly string[], state: HoldingState): boolean {
  if (consenting.includes(state.context.address)) return state.context.managed
  const owner = ofKind(state, 'position')?.context.owner.address
  if (owner === undefined || !consenting.includes(owner)) return false
  return listings.at(state.cluster, owner).some(({ tenant, managed }) => tenant === state.tenant && managed)
}
