// The account read model as JSON, for one account and for pages of many: the same as `JSON.stringify` of the model.
// Most accounts differ in their ids, references and balances only; the text of all other members is cached.
import { KEY_LOCATIONS } from '../../../contract/holding-types.ts'
import type { JsonBytes } from '../../../contract/json-bytes.ts'
import type { HoldingState } from '../../../engine/records/record.ts'
import type { Touch } from '../../../../machines/protocol.ts'
import { rawText } from './amounts.ts'
import {
  accountDetailed,
  accountBalances,
  creationOf,
  hasNetworkCurrencyLimits,
  hasTokenLimits,
  type AccountExtras,
} from './account.ts'

/** Organizations in the cache. */
const MAX_ORGANIZATIONS = 1_024
/** The first cached member. No member value contains this text, since quotes inside a value are escaped. */
const FIRST_CACHED = ',"managed":'
/** `JSON.stringify` is as fast for longer texts. */
const MAX_SHORT_UNITS = 64
const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_SURROGATE = 0xd800

function quoted(text: string | null): string {
  if (text === null) return 'null'
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

/** True for a text without characters that JSON escapes. */
function isPlain(text: string): boolean {
  if (text.length > MAX_SHORT_UNITS) return false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < SPACE || unit === QUOTE || unit === BACKSLASH || unit >= FIRST_SURROGATE) return false
  }
  return true
}

const isEmpty = (list: readonly unknown[] | null): boolean => list === null || list.length === 0

/** The cached members: `managed` and all that follow. */
interface Rest {
  readonly text: string
  readonly bytes: Buffer
}

/** By organization, then by `variantOf`. */
const cache = new Map<string, Map<number, Rest>>()

export function accountDetailedText(state: HoldingState, others: AccountExtras): string {
  const variant = variantOf(state, others)
  if (variant === undefined) return JSON.stringify(accountDetailed(state, others))
  return beginningOf(state) + restOf(state, others, variant).text
}

/** @param before a comma if accounts precede this one: to add one text is faster than to add two */
export function addAccountDetailed(
  page: JsonBytes,
  state: HoldingState,
  others: AccountExtras,
  before: '' | ',',
): void {
  const variant = variantOf(state, others)
  if (variant === undefined) {
    page.add(before + JSON.stringify(accountDetailed(state, others)))
    return
  }
  page.add(before + beginningOf(state))
  page.addBytes(restOf(state, others, variant).bytes)
}

/** The members that differ between accounts, which precede the cached ones. */
function beginningOf(state: HoldingState): string {
  const { context, id } = state
  const { references, last } = context
  const creation = creationOf(context)
  return (
    `{"onchain":{"id":"${context.address}",${touchText(last)},${creationText(creation)}},` +
    `"offchain":{"id":"${id}","type":"${references.type}","code":${quoted(references.code)},` +
    `"alId":${quoted(references.alId)},"organizationExternalId":${quoted(references.organizationExternalId)},` +
    `"accountNumber":${quoted(references.accountNumber)},"name":${quoted(references.name)},${balancesText(state)},` +
    `"lastTransactionId":${idText(last)},"creationTransactionId":${idText(creation)}}`
  )
}

/**
 * Loads the members of the accounts of a page into the cache of the processor, before they are rendered. Of a million
 * accounts, those of a page are in no cache. Reading one member of all accounts at a time lets the processor fetch many
 * in parallel; rendering one account after the other would wait for each. Returns a sum of the values, which is 0 only
 * if there are no accounts: the compiler cannot remove reads whose result is used.
 */
export function prefetch(states: readonly HoldingState[]): number {
  let sum = 0
  for (const { revision } of states) sum += revision
  for (const { context } of states)
    sum += Number(context.managed) + Number(context.canPayFees) + Number(context.frozenByOperator)
  for (const { id, context } of states)
    sum += id.length + context.address.length + context.keyLocation.length + Number(context.references.code === null)
  for (const { context } of states) {
    const { code, accountNumber, name } = context.references
    sum += context.lamports.balance.length + (code?.length ?? 0) + (accountNumber?.length ?? 0) + (name?.length ?? 0)
  }
  return sum
}

export function accountIdentifiersText({ id, context }: HoldingState): string {
  const { address, managed, organization } = context
  return (
    `{"onchain":{"id":"${address}"},"offchain":{"id":"${id}"},"managed":${String(managed)},` +
    `"tenantOrganizationId":${quoted(organization)}}`
  )
}

function touchText(touch: Touch | null): string {
  return touch === null
    ? '"lastTransactionId":null,"lastTransactionAt":null'
    : `"lastTransactionId":"${touch.signature}","lastTransactionAt":"${touch.at}"`
}

function creationText(touch: Touch | null): string {
  return touch === null
    ? '"creationTransactionId":null,"creationTransactionAt":null'
    : `"creationTransactionId":"${touch.signature}","creationTransactionAt":"${touch.at}"`
}

/** `null` for a transaction of another tenant. */
function idText(touch: Touch | null): string {
  return quoted(touch?.transactionId ?? null)
}

function balancesText(state: HoldingState): string {
  const lamportsBalance = rawText(state.context.lamports.balance)
  if (state.kind === 'account') {
    const { tokenDecimals } = state.context
    return `"lamportsBalance":${lamportsBalance},"tokenBalance":null,"tokenDecimals":${String(tokenDecimals)}`
  }
  const { tokenBalance, tokenDecimals } = accountBalances(state)
  return (
    `"lamportsBalance":${lamportsBalance},"tokenBalance":${JSON.stringify(tokenBalance)},` +
    `"tokenDecimals":${String(tokenDecimals)}`
  )
}

/** The cache key of the cached members; undefined: the account has unusual values in them and is not cached. */
function variantOf(state: HoldingState, { laneSuspended, symbol }: AccountExtras): number | undefined {
  const { value, context } = state
  const isUsual =
    symbol === null &&
    context.comments === null &&
    context.domain === null &&
    isEmpty(context.globalFeePayerForOrgs) &&
    isEmpty(context.orgsAllowedToSignWithPrivateKey) &&
    isEmpty(context.solDebitApiKeys) &&
    isEmpty(context.tokenDebitApiKeys) &&
    context.networkCurrencyDebitLimits === null &&
    context.tokenDebitLimits === null &&
    (context.destinationPolicy ?? 'OPEN') === 'OPEN' &&
    context.keyLocation.length <= 1
  if (!isUsual || laneSuspended === null) return undefined
  const [location] = context.keyLocation
  // One bit for each boolean, then the location of the key.
  const flags =
    Number(context.managed) |
    (Number(value === 'closed') << 1) |
    (Number(context.isDerived) << 2) |
    (Number(context.subscribeToNetworkEvents) << 3) |
    (Number(context.shared) << 4) |
    (Number(context.wasOnchainAlready) << 5) |
    (Number(context.canPayFees) << 6) |
    (Number(context.frozenByOperator) << 7) |
    (Number(laneSuspended) << 8) |
    (Number(hasNetworkCurrencyLimits(state)) << 9) |
    (Number(hasTokenLimits(state)) << 10)
  return flags | ((location === undefined ? 0 : KEY_LOCATIONS.indexOf(location) + 1) << 11)
}

function restOf(state: HoldingState, others: AccountExtras, variant: number): Rest {
  const { organization } = state.context
  let variants = cache.get(organization)
  if (variants === undefined) {
    if (cache.size >= MAX_ORGANIZATIONS) cache.clear()
    variants = new Map()
    cache.set(organization, variants)
  }
  let rest = variants.get(variant)
  if (rest === undefined) {
    const whole = JSON.stringify(accountDetailed(state, others))
    const text = whole.slice(whole.indexOf(FIRST_CACHED))
    rest = { text, bytes: Buffer.from(text) }
    variants.set(variant, rest)
  }
  return rest
}
