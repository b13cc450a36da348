// How a destination counts for debit limits (interface 8.1, completion 6): by who controls it now, as the records say it now.
import type { Directory } from '../../engine/directory.ts'
import { addressKey } from '../../engine/index-keys.ts'
import type { Listings } from '../../engine/listing.ts'
import { isHolding, type HoldingState } from '../../engine/record.ts'
import type { DestinationClass } from '../../../machines/debit-limits.ts'

/** Live records of an address, whoever's. */
export function recordsOf(directory: Directory, cluster: string, address: string): HoldingState[] {
  return directory
    .find(addressKey(cluster, address))
    .map(({ head }) => head)
    .filter(isHolding)
}

/**
 * MANAGED: the tenant's own, under a key that the service made and nobody outside has seen. Another tenant's account, and one whose key
 * was imported or exported, is NON_MANAGED.
 */
export function destinationClass(listings: Listings, tenant: string, cluster: string, address: string): DestinationClass {
  const found = listings.at(cluster, address)
  if (found.length === 0) return 'OFF_PLATFORM'
  return found.some((each) => each.tenant === tenant && each.ownKey) ? 'MANAGED' : 'NON_MANAGED'
}

/** Who can take network currency out of what stands at an address: a token account belongs to its owner, a nonce or a table to its authority. */
export function controllerOf(listings: Listings, cluster: string, address: string): string {
  return listings.at(cluster, address).find(({ controller }) => controller !== null)?.controller ?? address
}
