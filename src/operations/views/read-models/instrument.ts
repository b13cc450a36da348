// The financial instrument read model.
import type { RecordState } from '../../../engine/records/record.ts'
import type { AccountRef } from '../../../../machines/holding.ts'
import type { AuthorityName } from '../../../../machines/instrument-record.ts'
import type { AddressOnly } from '../../../contract/schemas/answers.ts'
import type { AccountModels, DetailLevel, InstrumentModels } from '../../../contract/schemas/levels.ts'
import type { Context } from '../../context/platform.ts'
import { NO_METADATA } from '../../lookup/mint-contents.ts'
import { statusOf } from './account.ts'
import { accountSeenBy, isOutside } from './outside.ts'
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

type Instrument = RecordState<'instrument'>

const MODELS: {
  readonly [Level in DetailLevel]: (context: Context, state: Instrument) => InstrumentModels[Level]
} = {
  identifiers: ({ platform, call }, state) => ({
    mintAccount: accountSeenBy(platform, call, state, 'identifiers'),
    version: state.context.version,
  }),
  compact: (context, state) => ({
    mintAccount: accountSeenBy(context.platform, context.call, state, 'compact'),
    ...authoritiesOf(context, state, 'compact'),
    ...ownMembers(context, state),
  }),
  detailed: (context, state) => ({
    mintAccount: accountSeenBy(context.platform, context.call, state, 'detailed'),
    ...authoritiesOf(context, state, 'detailed'),
    ...ownMembers(context, state),
  }),
}

export function instrumentModel<Level extends DetailLevel>(
  context: Context,
  state: Instrument,
  level: Level,
): InstrumentModels[Level] {
  return MODELS[level](context, state)
}

function authoritiesOf<Level extends DetailLevel>(
  { platform, call }: Context,
  { context }: Instrument,
  level: Level,
): Readonly<Record<AuthorityName, AccountModels[Level] | AddressOnly | null>> {
  const show = (reference: AccountRef | null) =>
    reference === null ? null : referenced({ platform, call }, reference, level)
  return Object.fromEntries(AUTHORITIES.map((name) => [name, show(context.authorities[name] ?? null)])) as ReturnType<
    typeof authoritiesOf<Level>
  >
}

/** Other tenants do not see the offchain data and the supply limit of a shared instrument. */
const UNSEEN = {
  offchainData: { description: null, simpleCustomMetadata: null, complexCustomMetadata: null, logo: null },
  maxSupply: null,
}

/** The members that are not accounts. */
function ownMembers({ platform, call }: Context, state: Instrument) {
  const { context } = state
  const { offchainData, maxSupply = null } = isOutside(call, state) ? { ...context, ...UNSEEN } : context
  const multiplier = multiplierNow(platform, context)
  return {
    version: context.version,
    onchainData: { ...(context.onchainData ?? NO_METADATA), decimals: context.decimals },
    offchainData: { ...offchainData, logo: offchainData.logo === null ? null : { ...offchainData.logo } },
    defaultPositionState: context.defaultPositionState,
    paused: context.paused,
    scaledUiAmountMultiplier: multiplier === null ? null : Number(multiplier),
    supply: applyScale(BigInt(context.supply.balance), context.decimals, multiplier),
    maxSupply: maxSupply === null ? null : applyScale(BigInt(maxSupply), context.decimals, null),
    extensions: context.extensions,
    status: statusOf(state),
  }
}
