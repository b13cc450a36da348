// Descriptions of members with one meaning in all schemas: envelopes, ids, lookups, amounts, bulk queries, errors.
import type { Descriptions } from './describe.ts'

const AGGREGATED = 'The last transaction of the operation. Absent if the operation needed no transaction.'

export const COMMON: Descriptions = {
  itemData: 'The record to create, the change to make, or the lookup of the record to fetch.',
  chainTransactionConfig:
    'How the transaction is built: fee payer, compute budget, lifetime, version, and the' +
    ' commitment to wait for. Every member has a default.',
  tenancyConfig: 'Selects the organization to act for. Default: the organization of the API key.',
  'TenancyConfig.overrideOrganizationExternalId':
    'External id of the organization to act for. Requires the role' +
    ' ORGANIZATION_OVERRIDE, and an organization of the same tenant (for a key of the system tenant: any' +
    ' organization); otherwise 403.',

  onchainId: 'Address on chain: base58 of 32 bytes.',
  offchainId: 'Id of the record in the service, a UUID.',
  offchainReferences: 'The identifiers and names that the client gave the account.',
  tenantOrganizationId: 'External id of the organization that the record belongs to.',
  chainClusterId: 'Id of the cluster (a setting of the service).',
  createdAt: 'Time of creation, ISO 8601 in UTC.',
  createdBy: 'Id of the API key that created the record, or `jwt:` and the subject of a token.',
  updatedAt: 'Time of the last change, ISO 8601 in UTC.',
  expiresAt: 'Time of expiry, ISO 8601 in UTC; null: never.',

  'AccountLookup.onchainId':
    'Address of the account: base58 of 32 bytes. The only lookup of an account that is not' + ' onboarded.',
  'AccountLookup.offchainId': 'Id of the account record, a UUID. Resolved before `onchainId` and `offchainReferences`.',
  'AccountLookup.offchainReferences':
    'References of the account; every member given must match. More than one' + ' match: 400 LOOKUP_AMBIGUOUS.',
  otherTenantOrganizationExternalId:
    'External id of an organization of another tenant. The lookup then finds' +
    ' accounts of that organization that are shared with, or granted to, the organization of the caller.',
  'PrivateKeyLookup.encryptTo':
    'Public key (JWK, OKP with X25519 or EC with P-256) to encrypt the response to. The' +
    ' response then has `privateKeyJwe` in place of `privateKey`. A key that nothing can be encrypted to: 400' +
    ' ENCRYPTION_KEY_INVALID.',
  'encryptTo.kty': 'Key type of the JWK: OKP for X25519, EC for P-256.',
  'encryptTo.crv': 'Curve of the JWK: X25519 or P-256.',
  'encryptTo.x': 'Public key, or its x coordinate, in base64url.',
  'encryptTo.y': 'The y coordinate in base64url; of a P-256 key only.',
  'encryptTo.kid': 'Key id; copied into the header of the JWE.',
  'encryptTo.use': 'Intended use of the JWK (RFC 7517).',
  'encryptTo.alg': 'Intended algorithm of the JWK (RFC 7517).',
  'encryptTo.key_ops': 'Permitted operations of the JWK (RFC 7517).',
  'encryptTo.ext': 'Whether the JWK is extractable, as Web Crypto exports it.',

  'OffchainReferences.alId': 'Additional identifier that the client gives the account.',
  'OffchainReferences.organizationExternalId':
    'External id of the organization that owns the account. Default: the' + ' organization acted for.',
  'OffchainReferences.accountNumber': 'Account number in the books of the client.',
  'OffchainReferences.code':
    'Code of the account. `organizationExternalId`, `accountNumber`, `code` and `type`' +
    ' together are unique within tenant and cluster (409 where the endpoint lists it, else 400).',
  'OffchainReferences.type': 'Type of the account. Default at creation: WALLET, for a mint ASSET_TOKEN.',
  'OffchainReferences.name': 'Name of the account; additional information, not unique.',
  'ReferenceChanges.alId': 'New additional identifier; null removes it.',
  'ReferenceChanges.organizationExternalId':
    'External id of the owning organization. The organization of an account' +
    ' cannot change; another value is rejected.',
  'ReferenceChanges.accountNumber': 'New account number; null removes it.',
  'ReferenceChanges.code': 'New code; null removes it. The references must remain unique within tenant and cluster.',
  'ReferenceChanges.type': 'New type of the account.',
  'ReferenceChanges.name': 'New name; null removes it.',

  amount: 'Amount in display units.',
  lamports: 'Amount in raw integer units: lamports, or the smallest unit of the token.',
  onchain: 'What the chain holds.',
  offchain: 'What the service records.',
  'onchain.id': 'Address on chain: base58 of 32 bytes.',
  'offchain.id': 'Id of the record in the service, a UUID.',
  managed: 'True if the service holds the private key of the account.',

  chainTransaction: AGGREGATED,
  chainTransactions: 'All transactions of the operation that exist so far, in order.',
  chainPlan: 'Progress of an operation that needs several transactions. Absent if one transaction is enough.',
  'ChainPlan.offchainId': 'Id of the plan, a UUID.',
  'ChainPlan.status':
    'RUNNING: transactions remain to be sent; FINISHED: all are settled; FAILED: one failed and' +
    ' the rest was not sent.',
  'ChainPlan.confirmed': 'Number of transactions that are confirmed.',

  itemQuery: 'Filter, order and page of the records. Default: all records in the default order, the first 100.',
  'itemQuery.limit': 'Maximum number of records in the response, 0 to 1000.',
  'itemsQuery.limit': 'Maximum number of records in the response, 0 to 1000.',
  skip: 'Number of matching records to skip before the first one in the response.',
  filter: 'Conditions that a record must meet, all of them. Default: none.',
  'filter.operator': 'Joins the `filterValues` of this entry: AND requires all of them, OR at least one.',
  filterValues: 'Comparisons of the field with values.',
  sort:
    'Order of the records: the entries in turn, then `offchainId` ascending. Nulls are last in both directions.' +
    ' Default: the default order of the endpoint.',
  sortDirection: 'ASC: ascending; DESC: descending.',
  count: 'Number of records that match the filter, before `skip` and `limit`.',
  items: 'The records of this page, in the requested order.',
  'FilterValue.dataType':
    'Type of the field. Optional; if given, it must be the type of the field (NUMBER, INTEGER' +
    ' and DECIMAL are the same; TEXT is accepted for an address), otherwise 400.',
  'FilterValue.filterType':
    'The comparison. EQUALS, NOT_EQUALS and IN are exact; CONTAINS, STARTS_WITH and' +
    ' ENDS_WITH ignore case; IN_RANGE includes both ends. An operator that does not fit the type of the field:' +
    ' 400. A null value matches only IS_NULL, NOT_EQUALS and NOT_CONTAINS. A list matches if any of its members' +
    ' does.',
  'FilterValue.valueString':
    'Operand for text, ids, addresses, enumerations and timestamps (ISO 8601). A member' +
    ' that does not fit the type of the field: 400 INVALID_VALUE.',
  'FilterValue.valueNumber': 'Operand for a number field.',
  'FilterValue.valueBoolean': 'Operand for a boolean field.',
  'FilterValue.valuesString': 'Operands of IN: the field must equal one of them.',
  'FilterValue.valueFromString': 'Lower end of IN_RANGE for text and timestamps, included.',
  'FilterValue.valueToString': 'Upper end of IN_RANGE for text and timestamps, included.',
  'FilterValue.valueFromNumber': 'Lower end of IN_RANGE for numbers, included.',
  'FilterValue.valueToNumber': 'Upper end of IN_RANGE for numbers, included.',

  'Problem.type':
    'URI of the kind of problem (RFC 9457): the address of the code in the documentation, or a registered type.',
  'Problem.title': 'Reason phrase of the HTTP status.',
  'Problem.status': 'The HTTP status.',
  'Problem.detail': 'The first problem in one sentence, and the number of further ones.',
  'Problem.requestId': 'Id of the request: `x-request-id` of the request, or the id generated for it.',
  'Problem.errors': 'All problems of the request. The problems of a body are reported together.',
  'errors.message': 'What is wrong, for a person. The text may change; `code` does not.',
}
