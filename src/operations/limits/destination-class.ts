// How a destination counts for debit limits (interface 8.1, completion 6): by who controls it now, as the records say it now.
import type { Directory } from '../../engine/directory.ts'
import { addressKey } from '../../engine/index-keys.ts'
import { isHolding, ofKind, type HoldingState } from '../../engine/record.ts'
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
export function destinationClass(directory: Directory, tenant: string, cluster: string, address: string): DestinationClass {
  const records = recordsOf(directory, cluster, address)
  if (records.length === 0) return 'OFF_PLATFORM'
  const isSafe = ({ tenant: of, context }: HoldingState): boolean => of === tenant && context.managed && context.keyOrigin === 'service'
  return records.some(isSafe) ? 'MANAGED' : 'NON_MANAGED'
}

/** Who can take network currency out of what stands at an address: a token account belongs to its owner, a nonce or a table to its authority. */
export function controllerOf(directory: Directory, cluster: string, address: string): string {
  for (const state of recordsOf(directory, cluster, address)) {
    const position = ofKind(state, 'position')
    if (position !== undefined) return position.context.owner.address
    const authority = (ofKind(state, 'nonce') ?? ofKind(state, 'lookupTable'))?.context.authority
    if (authority !== undefined && authority !== null) return authority.address
  }
  return address
}
