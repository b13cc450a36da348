// The index keys of records. `record-keys.ts` determines which of them a record has.
import type { RecordState } from '../records/record.ts'
import { skeletonOf } from '../records/skeleton.ts'

// Keys are template strings: a transfer computes about 90 keys, and joining an array costs several times as much.
const SEPARATOR = '\u0000'

/** Members of offchain references that a lookup may name; each is indexed separately. */
export const REFERENCE_MEMBERS = ['accountNumber', 'alId', 'code', 'name'] as const

/** A record of another cell, by its id. Records of this cell are found without it. */
export function idKey(id: string): string {
  return `id${SEPARATOR}${id}`
}

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

/** Transactions that may land, or whose end is not proven yet, under any value of a nonce account. */
export function underNonceKey(nonce: string): string {
  return `under nonce${SEPARATOR}${nonce}`
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

/**
 * Accounts of the tenant `holder` that pay fees for an organization named in their grants. Any tenant can grant to any
 * organization, so a lookup names the tenant whose grants it wants.
 */
export function globalFeePayerKey(holder: string, cluster: string, organization: string): string {
  return `g${SEPARATOR}${holder}${SEPARATOR}${cluster}${SEPARATOR}${organization}`
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

/** All suspensions on a cluster, in force or not: nearly always there are none. */
export function suspensionsKey(cluster: string): string {
  return `xs${SEPARATOR}${cluster}`
}

export function signatureKey(cluster: string, signature: string): string {
  return `s${SEPARATOR}${cluster}${SEPARATOR}${signature}`
}

/** Transactions with a missing signature that was requested with this id of a custodian's protocol. */
export function signatureRequestKey(askId: string): string {
  return `ask${SEPARATOR}${askId}`
}

/** Open transactions of a tenant that wait for signatures of other tenants. */
export function signingRequestKey(tenant: string): string {
  return `sr${SEPARATOR}${tenant}`
}

/** Transactions in flight that will move the record's balance: the chain may be ahead of the record. */
export function underWayKey(record: string): string {
  return `w${SEPARATOR}${record}`
}

/** The transactions of `underWayKey` that close the record or change who may withdraw its balances. */
export function changingKey(record: string): string {
  return `ch${SEPARATOR}${record}`
}

/** The transactions of `underWayKey` that freeze the record, or pause it. */
export function stoppingKey(record: string): string {
  return `st${SEPARATOR}${record}`
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

/** Countersignatures of other tenants for a transaction. */
export function countersignedKey(transactionId: string): string {
  return `cs${SEPARATOR}${transactionId}`
}

/**
 * The loan whose escrow is at an address. Closed loans stay indexed, because an escrow address is never anything else.
 */
export function escrowKey(cluster: string, address: string): string {
  return `escrow${SEPARATOR}${cluster}${SEPARATOR}${address}`
}

/** Loans in which a tenant is borrower, owner of the borrowing account, or lender, closed loans included. */
export function loanTenantKey(cluster: string, tenant: string): string {
  return `loans of${SEPARATOR}${cluster}${SEPARATOR}${tenant}`
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

/** The name by which a cell claims a message; no record has this key. */
export function messageClaimKey(cluster: string, hash: string): string {
  return `h${SEPARATOR}${cluster}${SEPARATOR}${hash}`
}

/** The name by which a cell claims a key at a custodian; no record has this key. */
export function remoteKeyClaimKey(address: string): string {
  return `remote key${SEPARATOR}${address}`
}

/** The items of a batch. */
export function batchItemsKey(batch: string): string {
  return ['batch', batch].join(SEPARATOR)
}

/** The items of batches that a transaction carries, and the occurrence of a schedule for which it was created. */
export function carriedItemsKey(transactionId: string): string {
  return ['ci', transactionId].join(SEPARATOR)
}

/** Schedules of a tenant that have not ended. */
export function openSchedulesKey(tenant: string): string {
  return ['schedules', tenant].join(SEPARATOR)
}

/** Distributions of a tenant that have not ended. */
export function openDistributionsKey(tenant: string): string {
  return ['distributions', tenant].join(SEPARATOR)
}

/** Approval policies of a tenant that are not removed. */
export function policiesKey(tenant: string): string {
  return ['policies', tenant].join(SEPARATOR)
}

/** Changes of a tenant that wait for approvals. */
export function openChangesKey(tenant: string): string {
  return ['pending', tenant].join(SEPARATOR)
}

/** The counterparty of a tenant that lists an address; the operations keep it to one. */
export function counterpartyKey(tenant: string, cluster: string, address: string): string {
  return ['cp', tenant, cluster, address].join(SEPARATOR)
}

/** Counterparties of an organization that have this reference. */
export function counterpartyReferenceKey(
  {
    tenant,
    cluster,
    organization,
  }: { readonly tenant: string; readonly cluster: string; readonly organization: string },
  externalReference: string,
): string {
  return ['cpref', tenant, cluster, organization, externalReference].join(SEPARATOR)
}

/** Counterparties of a tenant whose addresses are never paid, or only with an approval. */
export function restrictedKey(tenant: string, cluster: string): string {
  return ['restricted', tenant, cluster].join(SEPARATOR)
}

/** Counterparties of a tenant that list any address. */
export function listedKey(tenant: string, cluster: string): string {
  return ['listed', tenant, cluster].join(SEPARATOR)
}

/** Watched payment requests of a tenant. */
export function openPaymentRequestsKey(tenant: string): string {
  return ['payreqs', tenant].join(SEPARATOR)
}

/** The payment request whose payer's page has this id. */
export function payIdKey(payId: string): string {
  return ['pay', payId].join(SEPARATOR)
}

/** The payment request that has this reference key. */
export function paymentReferenceKey(cluster: string, reference: string): string {
  return ['payref', cluster, reference].join(SEPARATOR)
}

/**
 * Transactions that mint and that this service has not signed yet, by the record of the mint. They count towards its
 * supply limit.
 */
export function preparedMintKey(record: string): string {
  return ['pm', record].join(SEPARATOR)
}
