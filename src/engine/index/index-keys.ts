// The index keys of a record. Pure: the directory removes a record by computing its previous keys again.
import { approvalKeys } from './approval-keys.ts'
import { hasSamePaymentKeys, keysOfPaymentRequest } from './payment-keys.ts'
import { hasSameItemKeys, keysOfItem } from './item-keys.ts'
import type { Debt } from '../../../machines/loan-books.ts'
import { reserves } from '../records/consequences.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from '../records/record.ts'
import { skeletonOf } from '../records/skeleton.ts'
import { counterpartyKeys } from './counterparty-keys.ts'
import { isUnsigned, preparedMintKeys } from './mint-keys.ts'

// Keys are template strings: a transfer computes about 90 keys, and joining an array costs several times as much.
const SEPARATOR = '\u0000'

/** Members of offchain references that a lookup may name; each is indexed separately. */
export const REFERENCE_MEMBERS = ['accountNumber', 'alId', 'code', 'name'] as const

export function addressKey(cluster: string, address: string): string {
  return `a${SEPARATOR}${cluster}${SEPARATOR}${address}`
}

/** Key of a closed record's address, under which reads still find it. */
export function closedAddressKey(cluster: string, address: string): string {
  return `c${SEPARATOR}${cluster}${SEPARATOR}${address}`
}

/**
 * Replaces the tenant in keys of records that the system tenant shares with all tenants. These records are also indexed
 * under the system tenant.
 */
export const SHARED_SCOPE = '*'

/** @param scope a tenant, or `SHARED_SCOPE` */
export function referenceKey(scope: string, cluster: string, member: string, value: string): string {
  return `r${SEPARATOR}${scope}${SEPARATOR}${cluster}${SEPARATOR}${member}${SEPARATOR}${value}`
}

/** Records of an organization of one type: for lookups that name nothing more selective. */
export function typeKey(scope: string, cluster: string, organization: string, type: string): string {
  return `y${SEPARATOR}${scope}${SEPARATOR}${cluster}${SEPARATOR}${organization}${SEPARATOR}${type}`
}

/** Records of an organization that grant a right to the organization `grantee`. */
export function grantKey(cluster: string, organization: string, grantee: string): string {
  return `k${SEPARATOR}${cluster}${SEPARATOR}${organization}${SEPARATOR}${grantee}`
}

/** Enforces that references are unique within tenant and cluster: organization, account number, code and type. */
export function referenceIdentityKey(tenant: string, cluster: string, identity: ReferenceIdentity): string {
  const { organizationExternalId, accountNumber, code, type } = identity
  return ['u', tenant, cluster, organizationExternalId, accountNumber ?? '', code ?? '', type].join(SEPARATOR)
}

export interface ReferenceIdentity {
  readonly organizationExternalId: string
  readonly accountNumber: string | null
  readonly code: string | null
  readonly type: string
}

export function positionKey(scope: string, cluster: string, owner: string, mint: string): string {
  return `p${SEPARATOR}${scope}${SEPARATOR}${cluster}${SEPARATOR}${owner}${SEPARATOR}${mint}`
}

/** Positions of an owner on record at a tenant. */
export function ownerKey(tenant: string, cluster: string, owner: string): string {
  return `o${SEPARATOR}${tenant}${SEPARATOR}${cluster}${SEPARATOR}${owner}`
}

export function mintAuthorityKey(scope: string, cluster: string, authority: string): string {
  return `m${SEPARATOR}${scope}${SEPARATOR}${cluster}${SEPARATOR}${authority}`
}

export function freezeAuthorityKey(scope: string, cluster: string, authority: string): string {
  return `z${SEPARATOR}${scope}${SEPARATOR}${cluster}${SEPARATOR}${authority}`
}

/** Usable lookup tables of an organization. */
export function lookupTableKey(cluster: string, organization: string): string {
  return `t${SEPARATOR}${cluster}${SEPARATOR}${organization}`
}

/** Free nonce accounts of an organization, with a nonce value to sign with. */
export function freeNonceKey(cluster: string, organization: string): string {
  return `n${SEPARATOR}${cluster}${SEPARATOR}${organization}`
}

/** Live nonce accounts of a tenant. */
export function ownNoncesKey(tenant: string, cluster: string): string {
  return `own nonces${SEPARATOR}${tenant}${SEPARATOR}${cluster}`
}

/** All live nonce accounts; their values are refreshed periodically. */
export function noncesKey(cluster: string): string {
  return `nonces${SEPARATOR}${cluster}`
}

/** Live data sources of an organization for one instrument. */
export function dataSourceKey(cluster: string, organization: string, instrument: string): string {
  return `d${SEPARATOR}${cluster}${SEPARATOR}${organization}${SEPARATOR}${instrument}`
}

/** All live data sources; they are refreshed periodically. */
export function dataSourcesKey(cluster: string): string {
  return `sources${SEPARATOR}${cluster}`
}

/** Accounts that pay fees for an organization named in their grants. */
export function globalFeePayerKey(cluster: string, organization: string): string {
  return `g${SEPARATOR}${cluster}${SEPARATOR}${organization}`
}

export function feePayerKey(cluster: string, organization: string): string {
  return `f${SEPARATOR}${cluster}${SEPARATOR}${organization}`
}

export function organizationKey(externalId: string): string {
  return `org${SEPARATOR}${externalId}`
}

/** Organizations whose external ids look alike. */
export function organizationsLikeKey(externalId: string): string {
  return `orglike${SEPARATOR}${skeletonOf(externalId)}`
}

export function childrenKey(parentExternalId: string): string {
  return `children${SEPARATOR}${parentExternalId}`
}

export function apiKeyKey(keyId: string): string {
  return `key${SEPARATOR}${keyId}`
}

/** Prefix of `keyId` for the subject of a token. */
export const SUBJECT_PREFIX = 'jwt:'

/** Disabled token subjects: one record per organization that disabled the subject. */
export function subjectKey(keyId: string): string {
  return `subject${SEPARATOR}${keyId}`
}

/** API keys of a tenant that are not disabled. */
export function activeApiKeysKey(tenant: string): string {
  return `keys${SEPARATOR}${tenant}`
}

/** Webhooks of an organization. */
export function webhooksKey(cluster: string, organization: string): string {
  return `hooks${SEPARATOR}${cluster}${SEPARATOR}${organization}`
}

/** Suspension of sends for one scope. */
export function suspensionKey(
  cluster: string,
  { tenant, organization, lane }: RecordState<'suspension'>['context']['scope'],
): string {
  return ['x', cluster, JSON.stringify([tenant, organization, lane])].join(SEPARATOR)
}

export function signatureKey(cluster: string, signature: string): string {
  return `s${SEPARATOR}${cluster}${SEPARATOR}${signature}`
}

/** Open transactions of a tenant that wait for signatures of other tenants. */
export function signingRequestKey(tenant: string): string {
  return `sr${SEPARATOR}${tenant}`
}

/** Transactions in flight that will move the record's balance: the chain may be ahead of the record. */
export function underWayKey(record: string): string {
  return `w${SEPARATOR}${record}`
}

/** Transactions that are included in the record's balances but are not final: a dropped fork can still undo them. */
export function notFinalKey(record: string): string {
  return `nf${SEPARATOR}${record}`
}

/** Transactions and batches that wait for approval, by each record they debit. */
export function waitingDebitKey(record: string): string {
  return `wd${SEPARATOR}${record}`
}

/** The plan that contains a transaction as a step. */
export function planKey(transactionId: string): string {
  return `plan${SEPARATOR}${transactionId}`
}

/** What other tenants signed and reserved for a transaction. */
export function countersignedKey(transactionId: string): string {
  return `cs${SEPARATOR}${transactionId}`
}

/**
 * The loan whose escrow is at an address. Closed loans stay indexed, because an escrow address is never anything else.
 */
export function escrowKey(cluster: string, address: string): string {
  return `escrow${SEPARATOR}${cluster}${SEPARATOR}${address}`
}

/** Open loans in which an account is borrower or lender. */
export function loanPartyKey(cluster: string, address: string): string {
  return `loans${SEPARATOR}${cluster}${SEPARATOR}${address}`
}

/** Open loans that a strategy has lent to. */
export function lentKey(strategy: string): string {
  return `lent${SEPARATOR}${strategy}`
}

/** Strategies and open loans valued by a data source, by its address. */
export function feedUsersKey(cluster: string, source: string): string {
  return `fu${SEPARATOR}${cluster}${SEPARATOR}${source}`
}

/** Strategies that lend from a vault. */
export function vaultKey(cluster: string, vault: string): string {
  return `vault${SEPARATOR}${cluster}${SEPARATOR}${vault}`
}

/** All keys of a record. A closed record releases its address and references; only reads find it. */
export function keysOf(state: RecordState): string[] {
  const organization = ofKind(state, 'organization')
  if (organization !== undefined) {
    const { externalId, parentExternalId } = organization.context
    const own = [organizationKey(externalId), organizationsLikeKey(externalId)]
    return parentExternalId === null ? own : [...own, childrenKey(parentExternalId)]
  }
  const apiKey = ofKind(state, 'apiKey')
  if (apiKey !== undefined) return keysOfApiKey(apiKey)
  const suspension = ofKind(state, 'suspension')
  if (suspension !== undefined) return [suspensionKey(suspension.cluster, suspension.context.scope)]
  const webhook = ofKind(state, 'webhook')
  if (webhook !== undefined) return [webhooksKey(webhook.cluster, webhook.context.organization)]
  const transaction = ofKind(state, 'transaction')
  if (transaction !== undefined) return transactionKeys(transaction)
  const countersignature = ofKind(state, 'countersignature')
  if (countersignature !== undefined) return countersignatureKeys(countersignature)
  const plan = ofKind(state, 'plan')
  if (plan !== undefined)
    return plan.context.steps.flatMap(({ transactionId }) => (transactionId === null ? [] : [planKey(transactionId)]))
  const ofApproval = approvalKeys(state)
  if (ofApproval !== undefined) return ofApproval
  const batch = ofKind(state, 'batch')
  if (batch !== undefined) return batch.value === 'prepared' ? (batch.context.debited ?? []).map(waitingDebitKey) : []
  const itemKeys = keysOfItem(state) ?? keysOfPaymentRequest(state)
  if (itemKeys !== undefined) return itemKeys
  const loan = ofKind(state, 'loan')
  if (loan !== undefined) return loanKeys(loan)
  const strategy = ofKind(state, 'strategy')
  if (strategy !== undefined) {
    const { cluster, context } = strategy
    return [
      vaultKey(cluster, context.vault.address),
      ...feedKeys(cluster, [{ source: context.source, terms: context.collateral }]),
    ]
  }
  if (!isHolding(state)) return counterpartyKeys(state)
  return state.value === 'closed' ? [closedAddressKey(state.cluster, state.context.address)] : holdingKeys(state)
}

function keysOfApiKey({ tenant, value, context: { keyId } }: RecordState<'apiKey'>): string[] {
  if (keyId.startsWith(SUBJECT_PREFIX)) return [subjectKey(keyId)]
  return value === 'active' ? [apiKeyKey(keyId), activeApiKeysKey(tenant)] : [apiKeyKey(keyId)]
}

function transactionKeys(transaction: RecordState<'transaction'>): string[] {
  // The fixed part is read only where it matters: for an ended transaction it is stored as text and must be parsed.
  const { cluster, context } = transaction
  const keys = context.signature === null ? [] : [signatureKey(cluster, context.signature)]
  if (isWaiting(transaction))
    keys.push(...new Set((context.fixed.debits ?? []).map(({ record }) => waitingDebitKey(record))))
  if (asksOthers(transaction)) keys.push(signingRequestKey(transaction.tenant))
  if (isUnsigned(transaction)) keys.push(...preparedMintKeys(transaction))
  if (reserves(transaction)) return [...keys, ...context.fixed.entries.map(({ record }) => underWayKey(record))]
  return isRevocable(transaction) ? [...keys, ...context.fixed.entries.map(({ record }) => notFinalKey(record))] : keys
}

/** Confirmed without an error, and not final. */
function isRevocable({ value, context }: RecordState<'transaction'>): boolean {
  return value === 'confirmed' && context.error === null
}

/** True while another tenant's signature is missing. Returns before it reads the fixed part of an ended transaction. */
function asksOthers({ tenant, value, context }: RecordState<'transaction'>): boolean {
  if (value !== 'prepared' && value !== 'partiallySigned') return false
  return context.fixed.waitsFor?.some((each) => each.tenant !== tenant) === true
}

/** Held for approval; neither signed by this service nor ended. */
function isWaiting({ context }: RecordState<'transaction'>): boolean {
  return context.approval !== null && !context.ourSignature && context.finalAt === null
}

function countersignatureKeys({ value, context }: RecordState<'countersignature'>): string[] {
  const own = countersignedKey(context.transactionId)
  if (value === 'given') return [own, ...context.entries.map(({ record }) => underWayKey(record))]
  return value === 'landed' ? [own, ...context.entries.map(({ record }) => notFinalKey(record))] : [own]
}

function loanKeys({ cluster, value, context }: RecordState<'loan'>): string[] {
  const own = escrowKey(cluster, context.escrow.address)
  if (value === 'closed') return [own]
  const parties = new Set([context.borrower.address, context.lender.account.address])
  const strategies = new Set(context.debts.map(({ strategy }) => strategy))
  const byParty = [...parties].map((address) => loanPartyKey(cluster, address))
  return [own, ...byParty, ...[...strategies].map(lentKey), ...feedKeys(cluster, context.debts)]
}

function feedKeys(cluster: string, debts: readonly Pick<Debt, 'source' | 'terms'>[]): string[] {
  const sources = debts.flatMap(({ source, terms }) => [source, ...terms.map((each) => each.source)])
  return [...new Set(sources.map(({ address }) => address))].map((address) => feedUsersKey(cluster, address))
}

function holdingKeys(state: HoldingState): string[] {
  const { tenant, cluster, context } = state
  const { references, organization } = context
  const keys = [addressKey(cluster, context.address)]
  if (references.code !== null || references.accountNumber !== null)
    keys.push(referenceIdentityKey(tenant, cluster, references))
  for (const scope of context.shared ? [tenant, SHARED_SCOPE] : [tenant]) keys.push(...scopedKeys(scope, state))
  for (const grantee of new Set([
    ...(context.orgsAllowedToSignWithPrivateKey ?? []),
    ...(context.globalFeePayerForOrgs ?? []),
  ]))
    keys.push(grantKey(cluster, organization, grantee))
  if (context.canPayFees) keys.push(feePayerKey(cluster, organization))
  for (const grantee of context.globalFeePayerForOrgs ?? []) keys.push(globalFeePayerKey(cluster, grantee))
  const position = ofKind(state, 'position')
  if (position !== undefined) keys.push(ownerKey(tenant, cluster, position.context.owner.address))
  const nonce = ofKind(state, 'nonce')
  if (nonce !== undefined) keys.push(noncesKey(cluster), ownNoncesKey(tenant, cluster))
  if (nonce !== undefined && isFreeNonce(nonce)) keys.push(freeNonceKey(cluster, organization))
  const source = ofKind(state, 'dataSource')
  if (source !== undefined)
    keys.push(dataSourcesKey(cluster), dataSourceKey(cluster, organization, source.context.financialInstrument.address))
  if (isUsableTable(state)) keys.push(lookupTableKey(cluster, organization))
  return keys
}

/** Keys by which a lookup may name a record, within a tenant or among shared records. */
function scopedKeys(scope: string, state: HoldingState): string[] {
  const { cluster, context } = state
  const { references } = context
  const keys = [typeKey(scope, cluster, references.organizationExternalId, references.type)]
  for (const member of REFERENCE_MEMBERS) {
    const value = references[member]
    if (value !== null) keys.push(referenceKey(scope, cluster, member, value))
  }
  const position = ofKind(state, 'position')?.context
  if (position !== undefined) keys.push(positionKey(scope, cluster, position.owner.address, position.mint.address))
  const authorities = ofKind(state, 'instrument')?.context.authorities
  if (authorities?.mintAuthority) keys.push(mintAuthorityKey(scope, cluster, authorities.mintAuthority.address))
  if (authorities?.freezeAuthority) keys.push(freezeAuthorityKey(scope, cluster, authorities.freezeAuthority.address))
  return keys
}

function isFreeNonce({ value, context }: RecordState<'nonce'>): boolean {
  return value === 'active' && context.value !== null && !context.frozenByOperator
}

function isUsableTable(state: HoldingState): boolean {
  return state.kind === 'lookupTable' && (state.value === 'active' || state.value === 'frozen')
}

/** True if no member that `keysOf` reads differs. Balance changes, which are nearly all changes, satisfy this. */
export function sameKeys(previous: RecordState, next: RecordState): boolean {
  if ((previous.value === 'closed') !== (next.value === 'closed')) return false
  if (isHolding(previous) && isHolding(next)) {
    const a = previous.context
    const b = next.context
    const alike =
      a.address === b.address &&
      a.references === b.references &&
      a.organization === b.organization &&
      a.canPayFees === b.canPayFees &&
      a.shared === b.shared &&
      a.orgsAllowedToSignWithPrivateKey === b.orgsAllowedToSignWithPrivateKey &&
      a.globalFeePayerForOrgs === b.globalFeePayerForOrgs
    if (!alike || previous.kind !== next.kind || isUsableTable(previous) !== isUsableTable(next)) return false
    const nonce = ofKind(previous, 'nonce')
    if (nonce !== undefined && isFreeNonce(nonce) !== isFreeNonce(next as RecordState<'nonce'>)) return false
    const source = ofKind(previous, 'dataSource')?.context.financialInstrument
    if (source !== ofKind(next, 'dataSource')?.context.financialInstrument) return false
    if (ofKind(previous, 'position')?.context.owner !== ofKind(next, 'position')?.context.owner) return false
    const before = ofKind(previous, 'instrument')?.context.authorities
    return before === ofKind(next, 'instrument')?.context.authorities
  }
  const transaction = ofKind(previous, 'transaction')
  if (transaction !== undefined) {
    const after = next as RecordState<'transaction'>
    const isAlike =
      transaction.context.signature === after.context.signature && reserves(transaction) === reserves(after)
    const isAlsoAlike = isRevocable(transaction) === isRevocable(after) && isWaiting(transaction) === isWaiting(after)
    return (
      isAlike &&
      isAlsoAlike &&
      asksOthers(transaction) === asksOthers(after) &&
      isUnsigned(transaction) === isUnsigned(after)
    )
  }
  if (previous.kind === 'batch') return (previous.value === 'prepared') === (next.value === 'prepared')
  if (previous.kind === 'apiKey') return previous.value === next.value
  if (approvalKeys(previous) !== undefined) return previous.value === next.value
  if (previous.kind === 'countersignature') return previous.value === next.value
  if (previous.kind === 'loan' || previous.kind === 'strategy') return false
  const plan = ofKind(previous, 'plan')
  if (plan !== undefined) return plan.context.steps === ofKind(next, 'plan')?.context.steps
  if (!hasSameItemKeys(previous, next) || !hasSamePaymentKeys(previous, next)) return false
  return previous.kind === next.kind && previous.kind !== 'counterparty'
}
