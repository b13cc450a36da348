// The financial instrument read model (interface 2.8, completion 7).
import type { RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { AuthorityName } from '../../../../machines/instrument-record.ts'
import type { Call, JsonObject, JsonValue } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { statusOf, type DetailLevel } from './account.ts'
import { accountSeenBy } from './outside.ts'
import { referenced } from './position.ts'
import { applyScale, multiplierNow } from './scale.ts'

export const AUTHORITIES: readonly AuthorityName[] = [
  'mintAuthority',
  'updateAuthority',
  'freezeAuthority',
  'permanentDelegateAuthority',
  'closingAuthority',
  'pausableAuthority',
  'scaledUiAmountAuthority',
  'transferHookProgram',
  'transferHookAuthority',
  'confidentialTransferAuthority',
  'confidentialMintBurnAuthority',
  'metadataPointerAuthority',
]

export function instrumentModel(
  platform: Platform,
  call: Call,
  state: RecordState<'instrument'>,
  level: DetailLevel = 'detailed',
): JsonObject {
  const { context } = state
  if (level === 'identifiers')
    return { mintAccount: accountSeenBy(platform, call, state, level), version: context.version }
  const multiplier = multiplierNow(platform, context)
  const show = (reference: AccountRef | null): JsonValue =>
    reference === null ? null : referenced(platform, call, reference, level)
  return {
    mintAccount: accountSeenBy(platform, call, state, level),
    version: context.version,
    ...Object.fromEntries(AUTHORITIES.map((name) => [name, show(context.authorities[name] ?? null)])),
    onchainData: { ...context.onchainData, decimals: context.decimals },
    offchainData: context.offchainData as unknown as JsonValue,
    defaultPositionState: context.defaultPositionState,
    paused: context.paused,
    scaledUiAmountMultiplier: multiplier === null ? null : Number(multiplier),
    supply: applyScale(BigInt(context.supply.balance), context.decimals, multiplier),
    maxSupply: context.maxSupply == null ? null : applyScale(BigInt(context.maxSupply), context.decimals, null),
    extensions: context.extensions,
    status: statusOf(state),
  }
}
