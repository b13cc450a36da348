// The index keys of a record. Pure: the directory removes a record by computing its previous keys again.
import { approvalKeys } from './approval-keys.ts'
import { hasSamePaymentKeys, keysOfPaymentRequest } from './payment-keys.ts'
import { hasSameItemKeys, keysOfItem } from './item-keys.ts'
import { askId } from '../../keys/custodians/protocol.ts'
import type { Debt } from '../../../machines/lending/loan-books.ts'
import type { BookEntry, Fact } from '../../../machines/transactions/transaction-record.ts'
import { reserves } from '../records/consequences.ts'
import { isAddress } from '../../solana/address.ts'
import { type HoldingState, isHolding, ofKind, type RecordState } from '../records/record.ts'
import { counterpartyKeys } from './counterparty-keys.ts'
import { isUnsigned, preparedMintKeys } from './mint-keys.ts'
import {
  activeApiKeysKey,
  addressKey,
  apiKeyKey,
  changingKey,
  childrenKey,
  closedAddressKey,
  countersignedKey,
  dataSourceKey,
  dataSourcesKey,
  escrowKey,
  feedUsersKey,
  feePayerKey,
  freeNonceKey,
  freezeAuthorityKey,
  globalFeePayerKey,
  grantKey,
  lentKey,
  loanPartyKey,
  loanTenantKey,
  lookupTableKey,
  mintAuthorityKey,
  noncesKey,
  notFinalKey,
  organizationKey,
  organizationsLikeKey,
  ownerKey,
  ownNoncesKey,
  planKey,
  positionKey,
  REFERENCE_MEMBERS,
  referenceIdentityKey,
  referenceKey,
  SHARED_SCOPE,
  signatureKey,
  signatureRequestKey,
  signingRequestKey,
  SUBJECT_PREFIX,
  subjectKey,
  suspensionKey,
  suspensionsKey,
  typeKey,
  underWayKey,
  vaultKey,
  waitingDebitKey,
  webhooksKey,
} from './index-keys.ts'

/** All keys of a record. A closed record releases its address and references, and only reads find it. */
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
  if (suspension !== undefined)
    return [suspensionKey(suspension.cluster, suspension.context.scope), suspensionsKey(suspension.cluster)]
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
  // The fixed part is read only where needed: in an ended transaction it is text and must be parsed.
  const { cluster, context } = transaction
  const keys = context.signature === null ? [] : [signatureKey(cluster, context.signature)]
  if (isWaiting(transaction)) {
    for (const { record } of context.fixed.debits ?? []) {
      const key = waitingDebitKey(record)
      if (!keys.includes(key)) keys.push(key)
    }
  }
  if (asksOthers(transaction)) keys.push(signingRequestKey(transaction.tenant))
  if (mayAskSigners(transaction)) keys.push(...signatureRequestKeys(transaction))
  if (isUnsigned(transaction)) keys.push(...preparedMintKeys(transaction))
  const keyOf = reserves(transaction) ? underWayKey : isRevocable(transaction) ? notFinalKey : undefined
  if (keyOf !== undefined) for (const { record } of context.fixed.entries) keys.push(keyOf(record))
  if (keyOf === underWayKey) keys.push(...changingKeys(context.fixed.entries))
  return keys
}

function changingKeys(entries: readonly BookEntry[]): string[] {
  return entries.flatMap(({ record, facts }) => (facts.some(isChange) ? [changingKey(record)] : []))
}

function isChange({ event }: Fact): boolean {
  return event.type === 'chain.closed' || event.type === 'chain.configured'
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

/** True while a remote signer may have been asked for a signature, which may arrive at any time. */
function mayAskSigners({ value, context }: RecordState<'transaction'>): boolean {
  return value === 'partiallySigned' && context.ourSignature
}

/** Keys for all signers, because the record does not say which of them are remote. */
function signatureRequestKeys({ context: { fixed } }: RecordState<'transaction'>): string[] {
  const message = Buffer.from(fixed.message, 'base64')
  const addresses = fixed.signers.flatMap(({ address }) => (isAddress(address) ? [address] : []))
  return addresses.map((address) => signatureRequestKey(askId(message, address)))
}

/** Held for approval; neither signed by this service nor ended. */
function isWaiting({ context }: RecordState<'transaction'>): boolean {
  return context.approval !== null && !context.ourSignature && context.finalAt === null
}

function countersignatureKeys({ value, context }: RecordState<'countersignature'>): string[] {
  const own = countersignedKey(context.transactionId)
  if (value === 'given')
    return [own, ...context.entries.map(({ record }) => underWayKey(record)), ...changingKeys(context.entries)]
  return value === 'landed' ? [own, ...context.entries.map(({ record }) => notFinalKey(record))] : [own]
}

function loanKeys({ tenant, cluster, value, context }: RecordState<'loan'>): string[] {
  const tenants = new Set([tenant, context.lender.tenant])
  const own = [escrowKey(cluster, context.escrow.address), ...[...tenants].map((each) => loanTenantKey(cluster, each))]
  if (value === 'closed') return own
  const parties = new Set([context.borrower.address, context.lender.account.address])
  const strategies = new Set(context.debts.map(({ strategy }) => strategy))
  const byParty = [...parties].map((address) => loanPartyKey(cluster, address))
  return [...own, ...byParty, ...[...strategies].map(lentKey), ...feedKeys(cluster, context.debts)]
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
      // These are true of exactly the states in which `asksOthers` may be.
      mayAskSigners(transaction) === mayAskSigners(after) &&
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
