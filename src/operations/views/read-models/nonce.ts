// The durable nonce account read model.
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { Call } from '../../../contract/call.ts'
import type { Context } from '../../context/platform.ts'
import { maySee } from '../../lookup/party.ts'
import { accountSeenBy, isOutside } from './outside.ts'
import type { NonceAuthorityModel, NonceDetailsModel, NonceModel } from '../../../contract/schemas/answers.ts'

/** `confirmed` is the value that the chain shows at `confirmed`, for a nonce whose value is not yet on record. */
export function nonceModel(context: Context, state: RecordState<'nonce'>, confirmed: string | null): NonceModel {
  const { platform, call } = context
  const { authority, value, lease } = state.context
  return {
    nonceAccount: accountSeenBy(platform, call, state, 'detailed'),
    nonceAuthority: authorityModel(context, authority),
    nonceHash: value ?? confirmed,
    inUse:
      lease === null || isOutside(call, state)
        ? null
        : { transactionOffchainId: lease.transactionId, transactionAt: lease.at },
  }
}

/** The location of the key, for a managed nonce of the caller's tenant; never the key itself. */
export function keyDetails(call: Call, state: RecordState<'nonce'>): Pick<NonceDetailsModel, 'privateKeyDetails'> {
  const { context } = state
  return context.managed && !isOutside(call, state)
    ? { privateKeyDetails: { location: context.keyLocation, publickKey: context.address } }
    : {}
}

/** Only the address, if the authority has no record or the caller may not see its record. */
function authorityModel({ platform, call }: Context, { address, id }: AccountRef): NonceAuthorityModel {
  const committed = id === null ? undefined : platform.engine.directory.resident(id)?.committed
  const visible = committed !== undefined && isHolding(committed) && maySee(call, committed) ? committed : undefined
  return {
    onchain: { id: address },
    offchain: { id: visible?.id ?? null },
    managed: visible?.context.managed ?? false,
    tenantOrganizationId: visible?.context.organization ?? null,
  }
}
