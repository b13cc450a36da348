// The durable nonce account (interface 2.11).
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Call, JsonObject } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { maySee } from '../../lookup/party.ts'
import { accountSeenBy, isOutside } from './outside.ts'

export function nonceModel(platform: Platform, call: Call, state: RecordState<'nonce'>): JsonObject {
  const { authority, value, lease } = state.context
  return {
    nonceAccount: accountSeenBy(platform, call, state),
    nonceAuthority: authorityModel(platform, call, authority),
    nonceHash: value,
    inUse: lease === null || isOutside(call, state) ? null : { transactionOffchainId: lease.transactionId, transactionAt: lease.at },
  }
}

/** Of one of the tenant's whose key is kept here: where, and never the key. */
export function keyDetails(call: Call, state: RecordState<'nonce'>): JsonObject {
  const { context } = state
  return context.managed && !isOutside(call, state) ? { privateKeyDetails: { location: context.keyLocation, publickKey: context.address } } : {}
}

/** No more than the address where the authority is not onboarded, or not for the caller to see. */
function authorityModel(platform: Platform, call: Call, { address, id }: AccountRef): JsonObject {
  const committed = id === null ? undefined : platform.engine.directory.byId(id)?.committed
  const seen = committed !== undefined && isHolding(committed) && maySee(call, committed) ? committed : undefined
  return {
    onchain: { id: address },
    offchain: { id: seen?.id ?? null },
    managed: seen?.context.managed ?? false,
    tenantOrganizationId: seen?.context.organization ?? null,
  }
}
