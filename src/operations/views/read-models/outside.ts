// The read model of another tenant's record that the caller may read. A shared account shows its
// ids, type, code, status, whether it is managed and pays fees, and those organizations in its lists that belong to the
// reader's tenant. The escrow of a loan also shows its balances. All other members are null or empty lists, so that the
// model keeps its shape.
import { organizationKey } from '../../../engine/index/index-keys.ts'
import { ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { Call } from '../../../contract/call.ts'
import type { Platform } from '../../context/platform.ts'
import { stateAt } from '../../lookup/whose-records.ts'
import { hasSuspensions, isLaneSuspended } from './switches.ts'
import { accountCompact, accountDetailed, accountIdentifiers, accountBalances, statusOf } from './account.ts'
import { accountDetailedText, accountIdentifiersText, addAccountDetailed, prefetch } from './account-text.ts'
import { JsonBytes, JsonText, type JsonOf } from '../../../contract/json-bytes.ts'
import type { AccountModel, PageOf } from '../../../contract/schemas/answers.ts'
import type { AccountModels, DetailLevel } from '../../../contract/schemas/levels.ts'

type Reader = Pick<Call, 'tenant' | 'organization'>

/** True for a record of another tenant. */
export function isOutside({ tenant }: Reader, state: HoldingState): boolean {
  return state.tenant !== tenant
}

/** True if the balances are hidden: other tenants may refer to a shared record, but not see its balances. */
export function hidesBalances(reader: Reader, state: HoldingState): boolean {
  return isOutside(reader, state) && state.context.shared
}

const MODELS: {
  readonly [Level in DetailLevel]: (platform: Platform, call: Reader, state: HoldingState) => AccountModels[Level]
} = {
  identifiers: (_platform, _call, state) => accountIdentifiers(state),
  compact: (_platform, call, state) => (isOutside(call, state) ? compact(state) : accountCompact(state)),
  detailed: (platform, call, state) => {
    const symbol = symbolOf(platform, call, state)
    return isOutside(call, state)
      ? { ...detailed(platform, call, state), symbol }
      : accountDetailed(state, { laneSuspended: isLaneSuspended(platform, state), symbol })
  },
}

/** The account read model as the caller may see it. */
export function accountSeenBy<Level extends DetailLevel>(
  platform: Platform,
  call: Reader,
  state: HoldingState,
  level: Level,
): AccountModels[Level] {
  return MODELS[level](platform, call, state)
}

/** As `accountSeenBy` at the level `detailed`. */
export function accountTextSeenBy(platform: Platform, call: Reader, state: HoldingState): JsonOf<AccountModel> {
  if (isOutside(call, state)) return new JsonText(JSON.stringify(accountSeenBy(platform, call, state, 'detailed')))
  const symbol = symbolOf(platform, call, state)
  return new JsonText(accountDetailedText(state, { laneSuspended: isLaneSuspended(platform, state), symbol }))
}

/** A page of accounts as the caller may see them, in the order of the records. */
export function accountPage<Level extends DetailLevel>(
  platform: Platform,
  call: Reader,
  { count, items }: PageOf<HoldingState>,
  level: Level,
): JsonOf<PageOf<AccountModels[Level]>> {
  // Suspensions are rare: they are looked up once per cluster, not for each account.
  const suspendable = new Set(
    [...new Set(items.map(({ cluster }) => cluster))].filter((cluster) => hasSuspensions(platform, cluster)),
  )
  const page = new JsonBytes()
  const addRow = (state: HoldingState, before: '' | ','): void => {
    if (level === 'identifiers') page.add(before + accountIdentifiersText(state))
    else if (level === 'compact' || isOutside(call, state))
      page.add(before + JSON.stringify(accountSeenBy(platform, call, state, level)))
    else {
      const laneSuspended = suspendable.has(state.cluster) && isLaneSuspended(platform, state)
      addAccountDetailed(page, state, { laneSuspended, symbol: symbolOf(platform, call, state) }, before)
    }
  }
  page.add(`{"count":${String(count)},"items":[`)
  const isEmpty = prefetch(items) === 0
  for (let at = 0; at < items.length && !isEmpty; at += 1) addRow(items[at]!, at === 0 ? '' : ',')
  page.add(']}')
  return page
}

/** The symbol of an instrument, or of the instrument of a position; null for other accounts, and if it is unknown. */
function symbolOf(platform: Platform, call: Reader, state: HoldingState): string | null {
  const position = ofKind(state, 'position')
  const instrument =
    position === undefined
      ? ofKind(state, 'instrument')
      : stateAt(platform.engine.directory, call, state.cluster, {
          address: position.context.mint.address,
          kind: 'instrument',
        })
  return instrument?.context.onchainData?.symbol ?? null
}

function compact({ id, value, context, ...rest }: HoldingState): AccountModels['compact'] {
  const { type, code, organizationExternalId } = context.references
  return {
    onchain: { id: context.address, lastTransactionId: null, lastTransactionAt: null },
    offchain: { id, type, code, alId: null, organizationExternalId, accountNumber: null, lastTransactionId: null },
    managed: context.managed,
    status: statusOf({ id, value, context, ...rest } as HoldingState),
    tenantOrganizationId: context.organization,
  }
}

function detailed(platform: Platform, call: Reader, state: HoldingState): Omit<AccountModel, 'symbol'> {
  const { context } = state
  const base = compact(state)
  const balances = hidesBalances(call, state)
    ? { lamportsBalance: null, tokenBalance: null, tokenDecimals: null }
    : accountBalances(state)
  const { globalFeePayerForOrgs, orgsAllowedToSignWithPrivateKey } = readersOrganizations(platform, call, context)
  return {
    ...base,
    onchain: { ...base.onchain, creationTransactionId: null, creationTransactionAt: null },
    offchain: { ...base.offchain, name: null, ...balances, creationTransactionId: null },
    privateKeyLocation: [],
    isDerived: null,
    subscribeToNetworkEvents: null,
    sharedAcrossTenants: context.shared,
    wasOnchainAlready: null,
    canPayFees: context.canPayFees,
    comments: null,
    domain: null,
    globalFeePayerForOrgs,
    orgsAllowedToSignWithPrivateKey,
    solDebitApiKeys: [],
    tokenDebitApiKeys: [],
    networkCurrencyDebitLimits: [],
    tokenDebitLimits: [],
    destinationPolicy: null,
    frozenByOperator: null,
    laneSuspended: null,
  }
}

/** The organizations of the reader's tenant in the lists of an account. */
export function readersOrganizations(
  platform: Platform,
  reader: Reader,
  { globalFeePayerForOrgs, orgsAllowedToSignWithPrivateKey }: HoldingState['context'],
): Record<'globalFeePayerForOrgs' | 'orgsAllowedToSignWithPrivateKey', readonly string[]> {
  const own = (organizations: readonly string[] | null): readonly string[] =>
    (organizations ?? []).filter((organization) => isOfTenant(platform, reader, organization))
  return {
    globalFeePayerForOrgs: own(globalFeePayerForOrgs),
    orgsAllowedToSignWithPrivateKey: own(orgsAllowedToSignWithPrivateKey),
  }
}

function isOfTenant({ engine }: Platform, { tenant }: Reader, organization: string): boolean {
  return engine.directory.firstOwn(organizationKey(organization))?.head.tenant === tenant
}
