// The index keys of a record. Pure: the directory removes a record by computing its previous keys again.
import { askId } from '../../keys/custodians/protocol.ts'
import type { Kind } from '../../../machines/kinds.ts'
import type { Debt } from '../../../machines/lending/loan-books.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { reserves } from '../records/consequences.ts'
import { isAddress } from '../../solana/address.ts'
import { type HoldingState, ofKind, type RecordState } from '../records/record.ts'
import {
  activeApiKeysKey,
  addressKey,
  apiKeyKey,
  batchItemsKey,
  carriedItemsKey,
  changingKey,
  childrenKey,
  closedAddressKey,
  counterpartyKey,
  counterpartyReferenceKey,
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
  listedKey,
  loanPartyKey,
  loanTenantKey,
  lookupTableKey,
  mintAuthorityKey,
  noncesKey,
  notFinalKey,
  openChangesKey,
  openDistributionsKey,
  openPaymentRequestsKey,
  openSchedulesKey,
  organizationKey,
  organizationsLikeKey,
  ownerKey,
  ownNoncesKey,
  payIdKey,
  paymentReferenceKey,
  planKey,
  policiesKey,
  positionKey,
  preparedMintKey,
  REFERENCE_MEMBERS,
  referenceIdentityKey,
  referenceKey,
  restrictedKey,
  SHARED_SCOPE,
  signatureKey,
  signatureRequestKey,
  signingRequestKey,
  stoppingKey,
  SUBJECT_PREFIX,
  subjectKey,
  suspensionKey,
  suspensionsKey,
  typeKey,
  underNonceKey,
  underWayKey,
  vaultKey,
  waitingDebitKey,
  webhooksKey,
} from './index-keys.ts'

/** How the keys of one kind of record are derived, and which changes cannot affect them. */
interface KeyRule<K extends Kind> {
  readonly keys: (state: RecordState<K>) => string[]
  /** True if no member that `keys` reads differs. */
  readonly isSame: (previous: RecordState<K>, next: RecordState<K>) => boolean
}

const RULES: { readonly [K in Kind]: KeyRule<K> } = {
  account: { keys: keysOfHolding, isSame: isSameHolding },
  position: {
    keys: keysOfHolding,
    isSame: (a, b) => isSameHolding(a, b) && a.context.owner === b.context.owner,
  },
  instrument: {
    keys: keysOfHolding,
    isSame: (a, b) => isSameHolding(a, b) && a.context.authorities === b.context.authorities,
  },
  lookupTable: {
    keys: keysOfHolding,
    isSame: (a, b) => isSameHolding(a, b) && isUsableTable(a) === isUsableTable(b),
  },
  nonce: {
    keys: keysOfHolding,
    isSame: (a, b) => isSameHolding(a, b) && isFreeNonce(a) === isFreeNonce(b),
  },
  dataSource: {
    keys: keysOfHolding,
    isSame: (a, b) => isSameHolding(a, b) && a.context.financialInstrument === b.context.financialInstrument,
  },
  transaction: { keys: transactionKeys, isSame: isSameTransaction },
  countersignature: { keys: countersignatureKeys, isSame: isSameState },
  plan: { keys: planKeys, isSame: (a, b) => a.context.steps === b.context.steps },
  batch: { keys: batchKeys, isSame: (a, b) => (a.value === 'prepared') === (b.value === 'prepared') },
  batchItem: { keys: batchItemKeys, isSame: (a, b) => a.context.transactionId === b.context.transactionId },
  schedule: { keys: scheduleKeys, isSame: (a, b) => isOpenSchedule(a) === isOpenSchedule(b) },
  occurrence: { keys: occurrenceKeys, isSame: always },
  approvalPolicy: { keys: policyKeys, isSame: isSameState },
  pendingChange: { keys: pendingChangeKeys, isSame: isSameState },
  counterparty: { keys: counterpartyKeys, isSame: never },
  paymentRequest: { keys: paymentRequestKeys, isSame: (a, b) => a.context.watched === b.context.watched },
  distribution: {
    keys: distributionKeys,
    isSame: (before, next) => isOpenDistribution(before) === isOpenDistribution(next),
  },
  organization: { keys: organizationKeys, isSame: always },
  apiKey: { keys: apiKeyKeys, isSame: isSameState },
  suspension: {
    keys: ({ cluster, context }) => [suspensionKey(cluster, context.scope), suspensionsKey(cluster)],
    isSame: always,
  },
  webhook: { keys: ({ cluster, context }) => [webhooksKey(cluster, context.organization)], isSame: always },
  strategy: { keys: strategyKeys, isSame: never },
  loan: { keys: loanKeys, isSame: never },
}

/** All keys of a record. A closed record releases its address and references, and only reads find it. */
export function keysOf(state: RecordState): string[] {
  return (RULES[state.kind] as KeyRule<Kind>).keys(state)
}

/** True if no member that `keysOf` reads differs. Balance changes, which are nearly all changes, satisfy this. */
export function sameKeys(previous: RecordState, next: RecordState): boolean {
  return previous.kind === next.kind && (RULES[previous.kind] as KeyRule<Kind>).isSame(previous, next)
}

/** For kinds whose members that `keys` reads never change. */
function always(): boolean {
  return true
}

/** For kinds that change rarely, so that a comparison is not worthwhile. */
function never(): boolean {
  return false
}

function isSameState(previous: RecordState, next: RecordState): boolean {
  return previous.value === next.value
}

function isSameHolding({ value, context: a }: HoldingState, next: HoldingState): boolean {
  const b = next.context
  return (
    (value === 'closed') === (next.value === 'closed') &&
    a.address === b.address &&
    a.references === b.references &&
    a.organization === b.organization &&
    a.canPayFees === b.canPayFees &&
    a.shared === b.shared &&
    a.orgsAllowedToSignWithPrivateKey === b.orgsAllowedToSignWithPrivateKey &&
    a.globalFeePayerForOrgs === b.globalFeePayerForOrgs
  )
}

/** `asksOthers` can be true exactly in the states in which `mayAskSigners` or `isUnsigned` is. */
function isSameTransaction(previous: RecordState<'transaction'>, next: RecordState<'transaction'>): boolean {
  return (
    previous.context.signature === next.context.signature &&
    reserves(previous) === reserves(next) &&
    isRevocable(previous) === isRevocable(next) &&
    isWaiting(previous) === isWaiting(next) &&
    mayAskSigners(previous) === mayAskSigners(next) &&
    isUnsigned(previous) === isUnsigned(next)
  )
}

function organizationKeys({ context: { externalId, parentExternalId } }: RecordState<'organization'>): string[] {
  const own = [organizationKey(externalId), organizationsLikeKey(externalId)]
  return parentExternalId === null ? own : [...own, childrenKey(parentExternalId)]
}

function apiKeyKeys({ tenant, value, context: { keyId } }: RecordState<'apiKey'>): string[] {
  if (keyId.startsWith(SUBJECT_PREFIX)) return [subjectKey(keyId)]
  return value === 'active' ? [apiKeyKey(keyId), activeApiKeysKey(tenant)] : [apiKeyKey(keyId)]
}

function planKeys({ context: { steps } }: RecordState<'plan'>): string[] {
  return steps.flatMap(({ transactionId }) => (transactionId === null ? [] : [planKey(transactionId)]))
}

function batchKeys({ value, context }: RecordState<'batch'>): string[] {
  return value === 'prepared' ? (context.debited ?? []).map(waitingDebitKey) : []
}

function strategyKeys({ cluster, context }: RecordState<'strategy'>): string[] {
  const feeds = feedKeys(cluster, [{ source: context.source, terms: context.collateral }])
  return [vaultKey(cluster, context.vault.address), ...feeds]
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
  if (keyOf !== underWayKey) return keys
  keys.push(...changingKeys(context.fixed.entries))
  const nonce = context.fixed.nonceAccount?.id ?? null
  if (nonce !== null) keys.push(underNonceKey(nonce))
  return keys
}

const KEYS_BY_FACT: Partial<Record<string, (record: string) => string>> = {
  'chain.closed': changingKey,
  'chain.configured': changingKey,
  'chain.frozen': stoppingKey,
  'chain.paused': stoppingKey,
}

function changingKeys(entries: readonly BookEntry[]): string[] {
  const keys = entries.flatMap(({ record, facts }) => facts.map(({ event }) => KEYS_BY_FACT[event.type]?.(record)))
  return [...new Set(keys)].filter((key) => key !== undefined)
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
  const tenants = new Set([tenant, context.lender.tenant, context.owner?.tenant ?? tenant])
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

function keysOfHolding(state: HoldingState): string[] {
  const { tenant, cluster, context } = state
  if (state.value === 'closed') return [closedAddressKey(cluster, context.address)]
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
  for (const grantee of context.globalFeePayerForOrgs ?? []) keys.push(globalFeePayerKey(tenant, cluster, grantee))
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
  const { reserved } = context.lamports
  return value === 'active' && context.value !== null && !context.frozenByOperator && reserved === '0'
}

function isUsableTable(state: HoldingState): boolean {
  return state.kind === 'lookupTable' && (state.value === 'active' || state.value === 'frozen')
}

function batchItemKeys({ context: { batchId, transactionId } }: RecordState<'batchItem'>): string[] {
  return [batchItemsKey(batchId), ...keysOfCarried(transactionId)]
}

function occurrenceKeys({ context }: RecordState<'occurrence'>): string[] {
  return keysOfCarried(context.transactionId)
}

function distributionKeys(state: RecordState<'distribution'>): string[] {
  return isOpenDistribution(state) ? [openDistributionsKey(state.tenant)] : []
}

function isOpenDistribution({ value }: RecordState<'distribution'>): boolean {
  return value === 'waiting' || value === 'paying'
}

function scheduleKeys(state: RecordState<'schedule'>): string[] {
  return isOpenSchedule(state) ? [openSchedulesKey(state.tenant)] : []
}

function isOpenSchedule({ value }: RecordState<'schedule'>): boolean {
  return value === 'active' || value === 'paused'
}

function keysOfCarried(transactionId: string | null): string[] {
  return transactionId === null ? [] : [carriedItemsKey(transactionId)]
}

function policyKeys({ tenant, value }: RecordState<'approvalPolicy'>): string[] {
  return value === 'removed' ? [] : [policiesKey(tenant)]
}

function pendingChangeKeys({ tenant, value }: RecordState<'pendingChange'>): string[] {
  return value === 'pending' ? [openChangesKey(tenant)] : []
}

function counterpartyKeys({ tenant, cluster, context }: RecordState<'counterparty'>): string[] {
  const { addresses, organization, externalReference } = context
  const keys = addresses.map(({ address }) => counterpartyKey(tenant, cluster, address))
  if (externalReference !== null)
    keys.push(counterpartyReferenceKey({ tenant, cluster, organization }, externalReference))
  if (addresses.length === 0) return keys
  keys.push(listedKey(tenant, cluster))
  return context.status === 'ALLOWED' ? keys : [...keys, restrictedKey(tenant, cluster)]
}

function paymentRequestKeys({ tenant, cluster, context }: RecordState<'paymentRequest'>): string[] {
  const keys = [payIdKey(context.payId), paymentReferenceKey(cluster, context.reference)]
  return context.watched ? [...keys, openPaymentRequestsKey(tenant)] : keys
}

/** True for an open transaction without a signature of this service. */
export function isUnsigned({ value, context }: RecordState<'transaction'>): boolean {
  return value === 'prepared' || (value === 'partiallySigned' && !context.ourSignature)
}

function preparedMintKeys({ context }: RecordState<'transaction'>): string[] {
  return context.fixed.entries.filter(mints).map(({ record }) => preparedMintKey(record))
}

function mints({ movements }: BookEntry): boolean {
  return movements.some(({ asset, credited }) => asset === 'supply' && credited !== '0')
}
