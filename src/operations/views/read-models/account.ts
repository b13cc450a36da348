// The account read model at its three levels, for every kind of record with an
// address.
import { ofKind, type HoldingState } from '../../../engine/records/record.ts'
import type { DebitLimit, Holding } from '../../../../machines/holding.ts'
import type { Touch } from '../../../../machines/protocol.ts'
import { decimalJson } from '../../../../machines/amount.ts'
import { LIMITED_TYPES } from '../../../contract/holding-types.ts'
import { rawJson } from './amounts.ts'
import type { AccountModel } from '../../../contract/schemas/answers.ts'
import type { DebitLimitList, DebitLimitModel, TokenDebitLimitModel } from '../../../contract/schemas/limit-answers.ts'
import type { AccountModels } from '../../../contract/schemas/levels.ts'

/** Members that come from other records. */
export type AccountExtras = Pick<AccountModel, 'laneSuspended' | 'symbol'>

export function accountIdentifiers({ id, context }: HoldingState): AccountModels['identifiers'] {
  return {
    onchain: { id: context.address },
    offchain: { id },
    managed: context.managed,
    tenantOrganizationId: context.organization,
  }
}

export function accountCompact(state: HoldingState): AccountModels['compact'] {
  const { context, id } = state
  const { references } = context
  return {
    onchain: {
      id: context.address,
      lastTransactionId: context.last?.signature ?? null,
      lastTransactionAt: context.last?.at ?? null,
    },
    offchain: {
      id,
      type: references.type,
      code: references.code,
      alId: references.alId,
      organizationExternalId: references.organizationExternalId,
      accountNumber: references.accountNumber,
      lastTransactionId: context.last?.transactionId ?? null,
    },
    managed: context.managed,
    status: statusOf(state),
    tenantOrganizationId: context.organization,
  }
}

/** One object literal: a spread into another object would take longer than the rest of a page of accounts. */
export function accountDetailed(state: HoldingState, { laneSuspended, symbol }: AccountExtras): AccountModel {
  const { context, id } = state
  const { references, last, lamports } = context
  const creation = creationOf(context)
  return {
    onchain: {
      id: context.address,
      lastTransactionId: last?.signature ?? null,
      lastTransactionAt: last?.at ?? null,
      creationTransactionId: creation?.signature ?? null,
      creationTransactionAt: creation?.at ?? null,
    },
    offchain: {
      id,
      type: references.type,
      code: references.code,
      alId: references.alId,
      organizationExternalId: references.organizationExternalId,
      accountNumber: references.accountNumber,
      name: references.name,
      lamportsBalance: rawJson(lamports.balance),
      tokenBalance: tokenBalance(state),
      tokenDecimals: tokenDecimals(state),
      lastTransactionId: last?.transactionId ?? null,
      creationTransactionId: creation?.transactionId ?? null,
    },
    managed: context.managed,
    status: statusOf(state),
    privateKeyLocation: context.keyLocation,
    isDerived: context.isDerived,
    subscribeToNetworkEvents: context.subscribeToNetworkEvents,
    sharedAcrossTenants: context.shared,
    wasOnchainAlready: context.wasOnchainAlready,
    canPayFees: context.canPayFees,
    comments: context.comments,
    domain: context.domain,
    tenantOrganizationId: context.organization,
    globalFeePayerForOrgs: context.globalFeePayerForOrgs ?? [],
    orgsAllowedToSignWithPrivateKey: context.orgsAllowedToSignWithPrivateKey ?? [],
    solDebitApiKeys: context.solDebitApiKeys ?? [],
    tokenDebitApiKeys: context.tokenDebitApiKeys ?? [],
    networkCurrencyDebitLimits: networkCurrencyLimits(context.networkCurrencyDebitLimits),
    tokenDebitLimits: limits(context.tokenDebitLimits),
    defaultDebitLimits: defaultDebitLimits(state),
    destinationPolicy: context.destinationPolicy ?? 'OPEN',
    frozenByOperator: context.frozenByOperator,
    laneSuspended,
    symbol,
  }
}

/** null if a transaction of another tenant created the account. */
export function creationOf({ creation }: Holding): Touch | null {
  return creation?.transactionId === null ? null : creation
}

export function statusOf(state: HoldingState): 'ACTIVE' | 'CLOSED' {
  return state.value === 'closed' ? 'CLOSED' : 'ACTIVE'
}

export function idsOfHolding({ id, context }: HoldingState): {
  readonly onchainId: string
  readonly offchainId: string
} {
  return { onchainId: context.address, offchainId: id }
}

export function accountBalances(
  state: HoldingState,
): Pick<AccountModel['offchain'], 'lamportsBalance' | 'tokenBalance' | 'tokenDecimals'> {
  const { balance } = state.context.lamports
  return { lamportsBalance: rawJson(balance), tokenBalance: tokenBalance(state), tokenDecimals: tokenDecimals(state) }
}

function tokenBalance(state: HoldingState): number | string | null {
  const position = ofKind(state, 'position')
  return position === undefined ? null : rawJson(position.context.tokens.balance)
}

function tokenDecimals(state: HoldingState): number | null {
  return (
    ofKind(state, 'position')?.context.decimals ??
    ofKind(state, 'instrument')?.context.decimals ??
    ofKind(state, 'account')?.context.tokenDecimals ??
    null
  )
}

/** The lists that are not set, so that their defaults apply. In answers they are `[]`, like lists without entries. */
export function defaultDebitLimits(state: HoldingState): readonly DebitLimitList[] {
  const { networkCurrencyDebitLimits, tokenDebitLimits } = state.context
  const lists: DebitLimitList[] = []
  if (networkCurrencyDebitLimits === null && hasNetworkCurrencyLimits(state)) lists.push('networkCurrencyDebitLimits')
  if (tokenDebitLimits === null && hasTokenLimits(state)) lists.push('tokenDebitLimits')
  return lists
}

/** Whether debits of network currency have default limits: those of fees and rent apply to accounts of every type. */
export function hasNetworkCurrencyLimits({ kind }: HoldingState): boolean {
  return kind === 'account'
}

/** Whether debits of tokens have default limits. */
export function hasTokenLimits({ kind, context }: HoldingState): boolean {
  return kind === 'position' || (kind === 'account' && LIMITED_TYPES.has(context.references.type))
}

/** The entries of `tokenDebitLimits`. */
export function limits(entries: readonly DebitLimit[] | null): readonly TokenDebitLimitModel[] {
  return (entries ?? []).map(shownEntry)
}

/** A debit limit with its operation. */
export function shownEntry(entry: DebitLimit): TokenDebitLimitModel {
  const { operationType, destination, organizationExternalId, mintAuthority, maxAllowedDebit } = entry
  return {
    operationType,
    destination,
    ...(organizationExternalId === undefined ? {} : { organizationExternalId }),
    ...(mintAuthority === null
      ? {}
      : {
          mintAuthority: {
            onchainId: mintAuthority.address,
            ...(mintAuthority.id === null ? {} : { offchainId: mintAuthority.id }),
          },
        }),
    maxAllowedDebit: allowance(maxAllowedDebit),
  }
}

/** The entries of `networkCurrencyDebitLimits`, which have no operation: a client can send them back as they are. */
export function networkCurrencyLimits(entries: readonly DebitLimit[] | null): readonly DebitLimitModel[] {
  return (entries ?? []).map(({ destination, organizationExternalId, maxAllowedDebit }) => ({
    destination,
    ...(organizationExternalId === undefined ? {} : { organizationExternalId }),
    maxAllowedDebit: allowance(maxAllowedDebit),
  }))
}

function allowance(maxAllowedDebit: DebitLimit['maxAllowedDebit']): DebitLimitModel['maxAllowedDebit'] {
  if (maxAllowedDebit === null) return null
  const { limitType, limitAmount, duration, approversForOverride, requiredApproversCount } = maxAllowedDebit
  return {
    limitType,
    limitAmount: limitAmount === null ? null : decimalJson(limitAmount),
    duration: duration === null ? null : { ...duration },
    approversForOverride,
    requiredApproversCount,
  }
}
