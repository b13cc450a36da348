// The bulk query fields of every record with an address.
import type { HoldingState } from '../../../engine/records/record.ts'
import type { Field } from '../../../engine/query/field.ts'
import { ACCOUNT_TYPES, KEY_LOCATIONS } from '../../../contract/holding-types.ts'
import { creationOf, statusOf } from '../read-models/account.ts'
import { visibleOutside } from './outside.ts'

const keyLocation = { name: 'privateKeyLocation', type: 'TEXT', nullable: true, values: KEY_LOCATIONS } as const

const ALL: readonly Field<HoldingState>[] = [
  { name: 'managed', type: 'BOOLEAN', read: ({ context }) => context.managed },
  {
    name: 'type',
    type: 'OFFCHAIN_REFERENCE_TYPE',
    values: ACCOUNT_TYPES,
    read: ({ context }) => context.references.type,
  },
  { name: 'code', type: 'TEXT', nullable: true, read: ({ context }) => context.references.code },
  { name: 'alId', type: 'TEXT', nullable: true, read: ({ context }) => context.references.alId },
  { name: 'accountNumber', type: 'TEXT', nullable: true, read: ({ context }) => context.references.accountNumber },
  {
    name: 'externalOrganizationId',
    type: 'TEXT',
    read: ({ context }) => context.references.organizationExternalId,
  },
  { name: 'offchainReferenceName', type: 'TEXT', nullable: true, read: ({ context }) => context.references.name },
  { name: 'status', type: 'TEXT', values: ['ACTIVE', 'CLOSED'], read: statusOf },
  { ...keyLocation, read: ({ context }) => context.keyLocation },
  { name: 'comments', type: 'TEXT', nullable: true, read: ({ context }) => context.comments },
  { name: 'tenantOrganizationId', type: 'TEXT', read: ({ context }) => context.organization },
  {
    name: 'orgsIsGlobalFeePayerFor',
    type: 'TEXT',
    nullable: true,
    read: ({ context }) => context.globalFeePayerForOrgs,
  },
  {
    name: 'orgsAllowedToSignWithPrivateKey',
    type: 'TEXT',
    nullable: true,
    read: ({ context }) => context.orgsAllowedToSignWithPrivateKey,
  },
  {
    name: 'solDebitApiKeys',
    aliases: ['networkCurrencyDebitApiKeys'],
    type: 'TEXT',
    nullable: true,
    read: ({ context }) => context.solDebitApiKeys,
  },
  { name: 'tokenDebitApiKeys', type: 'TEXT', nullable: true, read: ({ context }) => context.tokenDebitApiKeys },
  { name: 'lastTransactionAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.last?.at ?? null },
  {
    name: 'creationTransactionAt',
    type: 'TIMESTAMP',
    nullable: true,
    read: ({ context }) => creationOf(context)?.at ?? null,
  },
  {
    name: 'wasAlreadyOnchain',
    aliases: ['wasOnchainAlready'],
    type: 'BOOLEAN',
    read: ({ context }) => context.wasOnchainAlready,
  },
  { name: 'canPayFees', type: 'BOOLEAN', read: ({ context }) => context.canPayFees },
  {
    name: 'sharedAccrossTenants',
    aliases: ['sharedAcrossTenants'],
    type: 'BOOLEAN',
    read: ({ context }) => context.shared,
  },
]

const VISIBLE = ['managed', 'type', 'code', 'status', 'tenantOrganizationId', 'canPayFees', 'sharedAccrossTenants']

/** The fields of accounts, except the balance, which positions omit. */
export const COMMON_FIELDS: readonly Field<HoldingState>[] = visibleOutside(ALL, VISIBLE)
