// Finds the record of a nonce authority, and whether its key can be used.
import { isHolding, type HoldingState, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { accountOf, maySignWith } from './party.ts'
import type { Platform, Context } from '../context/platform.ts'

/** The address, with the id of the record that the tenant of `near` has of it, if any. */
export function accountAt(platform: Platform, near: RecordState, address: string): AccountRef {
  return accountOf(platform, near, address)
}

/** A record of the address with a managed key that the caller may sign with. */
export function managedAt({ platform, call }: Context, address: string): HoldingState | undefined {
  return platform.engine.directory
    .atAddress(call.cluster, address)
    .map(({ head }) => head)
    .filter(isHolding)
    .find((state) => state.context.managed && maySignWith(call, state))
}
