// Under which keys a record is found. Pure, so that the directory can take a record out by computing its old keys again.
import { reserves } from './consequences.ts'
import { isHolding, ofKind, type HoldingState, type RecordState } from './record.ts'

const SEPARATOR = '\u0000'

/** The members of offchain references a lookup may name, each indexed by itself. */
export const REFERENCE_MEMBERS = ['accountNumber', 'alId', 'code', 'name'] as const

export function addressKey(cluster: string, address: string): string {
  return ['a', cluster, address].join(SEPARATOR)
}

/** Where a closed record's address is still found, by reads. */
export function closedAddressKey(cluster: string, address: string): string {
  return ['c', cluster, address].join(SEPARATOR)
}

export function referenceKey(cluster: string, member: string, value: string): string {
  return ['r', cluster, member, value].join(SEPARATOR)
}

/** Uniqueness of references within tenant and cluster: organization, account number, code, type. */
export function referenceIdentityKey(tenant: string, cluster: string, identity: ReferenceIdentity): string {
  return ['u', tenant, cluster, identity.organizationExternalId, identity.accountNumber ?? '', identity.code ?? '', identity.type].join(
    SEPARATOR,
  )
}

export interface ReferenceIdentity {
  readonly organizationExternalId: string
  readonly accountNumber: string | null
  readonly code: string | null
  readonly type: string
}

export function positionKey(cluster: string, owner: string, mint: string): string {
  return ['p', cluster, owner, mint].join(SEPARATOR)
}

export function ownerKey(cluster: string, owner: string): string {
  return ['o', cluster, owner].join(SEPARATOR)
}

export function mintAuthorityKey(cluster: string, authority: string): string {
  return ['m', cluster, authority].join(SEPARATOR)
}

export function freezeAuthorityKey(cluster: string, authority: string): string {
  return ['z', cluster, authority].join(SEPARATOR)
}

/** Lookup tables of an organization that messages can use. */
export function lookupTableKey(cluster: string, organization: string): string {
  return ['t', cluster, organization].join(SEPARATOR)
}

/** Nonce accounts of an organization that are free, with a value to sign under. */
export function freeNonceKey(cluster: string, organization: string): string {
  return ['n', cluster, organization].join(SEPARATOR)
}

/** Every live nonce account: its value is looked at now and then. */
export function noncesKey(cluster: string): string {
  return ['nonces', cluster].join(SEPARATOR)
}

/** Live data sources of an instrument, of any organization. */
export function dataSourceKey(cluster: string, instrument: string): string {
  return ['d', cluster, instrument].join(SEPARATOR)
}

/** Every live data source: each is refreshed now and then. */
export function dataSourcesKey(cluster: string): string {
  return ['sources', cluster].join(SEPARATOR)
}

/** Accounts that pay fees for any organization named in their grants. */
export function globalFeePayerKey(cluster: string, organization: string): string {
  return ['g', cluster, organization].join(SEPARATOR)
}

export function feePayerKey(cluster: string, organization: string): string {
  return ['f', cluster, organization].join(SEPARATOR)
}

export function organizationKey(externalId: string): string {
  return ['org', externalId].join(SEPARATOR)
}

export function childrenKey(parentExternalId: string): string {
  return ['children', parentExternalId].join(SEPARATOR)
}

export function apiKeyKey(keyId: string): string {
  return ['key', keyId].join(SEPARATOR)
}

/** Begins the `keyId` of a subject of an issuer's tokens. */
export const SUBJECT_PREFIX = 'jwt:'

/** Disabled subjects of tokens, one record for each organization that disabled the subject. */
export function subjectKey(keyId: string): string {
  return ['subject', keyId].join(SEPARATOR)
}

/** API keys of a tenant that are not disabled. */
export function activeApiKeysKey(tenant: string): string {
  return ['keys', tenant].join(SEPARATOR)
}

/** Webhooks of an organization. */
export function webhooksKey(cluster: string, organization: string): string {
  return ['hooks', cluster, organization].join(SEPARATOR)
}

/** The switch for sends of a scope. */
export function suspensionKey(cluster: string, { tenant, organization, lane }: RecordState<'suspension'>['context']['scope']): string {
  return ['x', cluster, JSON.stringify([tenant, organization, lane])].join(SEPARATOR)
}

export function signatureKey(cluster: string, signature: string): string {
  return ['s', cluster, signature].join(SEPARATOR)
}

/** Transactions under way that will move something of the record: what the chain shows of it may be ahead of its books. */
export function underWayKey(record: string): string {
  return ['w', record].join(SEPARATOR)
}

/** Transactions that wait for approval, by each record whose debit they are. */
export function waitingDebitKey(record: string): string {
  return ['wd', record].join(SEPARATOR)
}

/** The plan that a transaction is a step of. */
export function planKey(transactionId: string): string {
  return ['plan', transactionId].join(SEPARATOR)
}

/** What other tenants signed and set aside for a transaction. */
export function countersignedKey(transactionId: string): string {
  return ['cs', transactionId].join(SEPARATOR)
}

/** The loan whose escrow stands at an address, closed ones included: an escrow stays one for ever. */
export function escrowKey(cluster: string, address: string): string {
  return ['escrow', cluster, address].join(SEPARATOR)
}

/** Open loans that an account borrows or lends in. */
export function loanPartyKey(cluster: string, address: string): string {
  return ['loans', cluster, address].join(SEPARATOR)
}

/** Open loans that a strategy has lent to. */
export function lentKey(strategy: string): string {
  return ['lent', strategy].join(SEPARATOR)
}

/** What a vault lends. */
export function vaultKey(cluster: string, vault: string): string {
  return ['vault', cluster, vault].join(SEPARATOR)
}

/** Every key of a record. A closed one gives its address and references free and is found by reads only. */
export function keysOf(state: RecordState): string[] {
  const organization = ofKind(state, 'organization')
  if (organization !== undefined) {
    const { externalId, parentExternalId } = organization.context
    return parentExternalId === null ? [organizationKey(externalId)] : [organizationKey(externalId), childrenKey(parentExternalId)]
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
  if (plan !== undefined) return plan.context.steps.flatMap(({ transactionId }) => (transactionId === null ? [] : [planKey(transactionId)]))
  const loan = ofKind(state, 'loan')
  if (loan !== undefined) return loanKeys(loan)
  const strategy = ofKind(state, 'strategy')
  if (strategy !== undefined) return [vaultKey(strategy.cluster, strategy.context.vault.address)]
  if (!isHolding(state)) return []
  return state.value === 'closed' ? [closedAddressKey(state.cluster, state.context.address)] : holdingKeys(state)
}

function keysOfApiKey({ tenant, value, context: { keyId } }: RecordState<'apiKey'>): string[] {
  if (keyId.startsWith(SUBJECT_PREFIX)) return [subjectKey(keyId)]
  return value === 'active' ? [apiKeyKey(keyId), activeApiKeysKey(tenant)] : [apiKeyKey(keyId)]
}

function transactionKeys(transaction: RecordState<'transaction'>): string[] {
  // What is fixed is read where it counts only: of an ended transaction it is kept as text.
  const { cluster, context } = transaction
  const keys = context.signature === null ? [] : [signatureKey(cluster, context.signature)]
  if (isWaiting(transaction)) keys.push(...new Set((context.fixed.debits ?? []).map(({ record }) => waitingDebitKey(record))))
  return reserves(transaction) ? [...keys, ...context.fixed.entries.map(({ record }) => underWayKey(record))] : keys
}

/** Held for approval, and neither signed by us nor over. */
function isWaiting({ context }: RecordState<'transaction'>): boolean {
  return context.approval !== null && !context.ourSignature && context.finalAt === null
}

function countersignatureKeys({ value, context }: RecordState<'countersignature'>): string[] {
  const own = countersignedKey(context.transactionId)
  return value === 'given' ? [own, ...context.entries.map(({ record }) => underWayKey(record))] : [own]
}

function loanKeys({ cluster, value, context }: RecordState<'loan'>): string[] {
  const own = escrowKey(cluster, context.escrow.address)
  if (value === 'closed') return [own]
  const parties = new Set([context.borrower.address, context.lender.account.address])
  const strategies = new Set(context.debts.map(({ strategy }) => strategy))
  return [own, ...[...parties].map((address) => loanPartyKey(cluster, address)), ...[...strategies].map(lentKey)]
}

function holdingKeys(state: HoldingState): string[] {
  const { tenant, cluster, context } = state
  const { references } = context
  const keys = [addressKey(cluster, context.address)]
  if (references.code !== null || references.accountNumber !== null) keys.push(referenceIdentityKey(tenant, cluster, references))
  for (const member of REFERENCE_MEMBERS) {
    const value = references[member]
    if (value !== null) keys.push(referenceKey(cluster, member, value))
  }
  if (context.canPayFees) keys.push(feePayerKey(cluster, context.organization))
  for (const organization of context.globalFeePayerForOrgs ?? []) keys.push(globalFeePayerKey(cluster, organization))
  const position = ofKind(state, 'position')
  if (position !== undefined) {
    keys.push(
      positionKey(cluster, position.context.owner.address, position.context.mint.address),
      ownerKey(cluster, position.context.owner.address),
    )
  }
  const nonce = ofKind(state, 'nonce')
  if (nonce !== undefined) keys.push(noncesKey(cluster))
  if (nonce !== undefined && isFreeNonce(nonce)) keys.push(freeNonceKey(cluster, context.organization))
  const source = ofKind(state, 'dataSource')
  if (source !== undefined) keys.push(dataSourcesKey(cluster), dataSourceKey(cluster, source.context.financialInstrument.address))
  if (isUsableTable(state)) keys.push(lookupTableKey(cluster, context.organization))
  const authorities = ofKind(state, 'instrument')?.context.authorities
  if (authorities?.mintAuthority) keys.push(mintAuthorityKey(cluster, authorities.mintAuthority.address))
  if (authorities?.freezeAuthority) keys.push(freezeAuthorityKey(cluster, authorities.freezeAuthority.address))
  return keys
}

function isFreeNonce({ value, context }: RecordState<'nonce'>): boolean {
  return value === 'active' && context.value !== null && !context.frozenByOperator
}

function isUsableTable(state: HoldingState): boolean {
  return state.kind === 'lookupTable' && (state.value === 'active' || state.value === 'frozen')
}

/** True when nothing that `keysOf` reads differs: true of every change of books, which is nearly every change. */
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
    const isAlike = transaction.context.signature === after.context.signature && reserves(transaction) === reserves(after)
    return isAlike && isWaiting(transaction) === isWaiting(after)
  }
  if (previous.kind === 'apiKey') return previous.value === next.value
  if (previous.kind === 'countersignature') return (previous.value === 'given') === (next.value === 'given')
  if (previous.kind === 'loan') return false
  const plan = ofKind(previous, 'plan')
  if (plan !== undefined) return plan.context.steps === ofKind(next, 'plan')?.context.steps
  return previous.kind === next.kind
}
