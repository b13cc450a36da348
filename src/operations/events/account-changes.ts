// The changed members of the detailed account read model, for every kind of record with an address.
import type { Holding } from '../../../machines/holding.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { JsonObject, JsonValue } from '../../contract/call.ts'
import {
  creationOf,
  defaultDebitLimits,
  limits,
  networkCurrencyLimits,
  statusOf,
} from '../views/read-models/account.ts'
import { rawJson } from '../views/read-models/amounts.ts'

type Show = (context: Holding) => JsonValue

/** Members that the read model shows directly. */
const PLAIN: readonly (readonly [member: keyof Holding, name: string, show: Show])[] = [
  ['canPayFees', 'canPayFees', ({ canPayFees }) => canPayFees],
  ['comments', 'comments', ({ comments }) => comments],
  ['domain', 'domain', ({ domain }) => domain],
  ['subscribeToNetworkEvents', 'subscribeToNetworkEvents', ({ subscribeToNetworkEvents }) => subscribeToNetworkEvents],
  ['shared', 'sharedAcrossTenants', ({ shared }) => shared],
  ['keyLocation', 'privateKeyLocation', ({ keyLocation }) => keyLocation],
  ['globalFeePayerForOrgs', 'globalFeePayerForOrgs', (context) => context.globalFeePayerForOrgs ?? []],
  [
    'orgsAllowedToSignWithPrivateKey',
    'orgsAllowedToSignWithPrivateKey',
    (context) => context.orgsAllowedToSignWithPrivateKey ?? [],
  ],
  ['solDebitApiKeys', 'solDebitApiKeys', (context) => context.solDebitApiKeys ?? []],
  ['tokenDebitApiKeys', 'tokenDebitApiKeys', (context) => context.tokenDebitApiKeys ?? []],
  [
    'networkCurrencyDebitLimits',
    'networkCurrencyDebitLimits',
    (context) => networkCurrencyLimits(context.networkCurrencyDebitLimits),
  ],
  ['tokenDebitLimits', 'tokenDebitLimits', (context) => limits(context.tokenDebitLimits)],
  ['destinationPolicy', 'destinationPolicy', ({ destinationPolicy = 'OPEN' }) => destinationPolicy],
  ['frozenByOperator', 'frozenByOperator', ({ frozenByOperator }) => frozenByOperator],
]

/**
 * Members of the account read model that differ; undefined if none does. Also undefined for a new record, whose event
 * contains the whole model.
 */
export function changedAccount(previous: HoldingState | undefined, next: HoldingState): JsonObject | undefined {
  if (previous === undefined) return undefined
  const [before, after] = [previous.context, next.context]
  const members: Record<string, JsonValue> = {}
  const onchain: Record<string, JsonValue> = {}
  const offchain: Record<string, JsonValue> = {}
  if (statusOf(previous) !== statusOf(next)) members['status'] = statusOf(next)
  if (before.lamports.balance !== after.lamports.balance) offchain['lamportsBalance'] = rawJson(after.lamports.balance)
  if (before.last !== after.last) {
    onchain['lastTransactionId'] = after.last?.signature ?? null
    onchain['lastTransactionAt'] = after.last?.at ?? null
    offchain['lastTransactionId'] = after.last?.transactionId ?? null
  }
  const creation = creationOf(after)
  if (creationOf(before) !== creation) {
    onchain['creationTransactionId'] = creation?.signature ?? null
    onchain['creationTransactionAt'] = creation?.at ?? null
    offchain['creationTransactionId'] = creation?.transactionId ?? null
  }
  if (before.references !== after.references) Object.assign(offchain, after.references)
  for (const [member, name, show] of PLAIN) if (before[member] !== after[member]) members[name] = show(after)
  if (changesLimits(before, after)) members['defaultDebitLimits'] = defaultDebitLimits(next)
  return mergeParts(members, nestPart('onchain', onchain), nestPart('offchain', offchain))
}

/** True if a list of debit limits changes, or the type of the account, which decides whether it has default limits. */
function changesLimits(before: Holding, after: Holding): boolean {
  return (
    before.networkCurrencyDebitLimits !== after.networkCurrencyDebitLimits ||
    before.tokenDebitLimits !== after.tokenDebitLimits ||
    before.references.type !== after.references.type
  )
}

/** Merges the parts; undefined if all are empty. */
export function mergeParts(...parts: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  const all: JsonObject = Object.assign({}, ...parts) as JsonObject
  return Object.keys(all).length === 0 ? undefined : all
}

/** Wraps the part in a member of this name, unless it is empty. */
export function nestPart(name: string, part: JsonObject | undefined): JsonObject | undefined {
  return part === undefined || Object.keys(part).length === 0 ? undefined : { [name]: part }
}
