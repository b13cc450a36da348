// Bulk query fields of durable nonce accounts.
import type { Field, Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { visibleOutside } from './outside.ts'

const FIELDS: readonly Field<RecordState<'nonce'>>[] = [
  { name: 'nonceAuthorityOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.authority.address },
  { name: 'nonceAccountOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.address },
  {
    name: 'nonceAuthorityOffchainId',
    type: 'OFFCHAIN_ID',
    nullable: true,
    read: ({ context }) => context.authority.id,
  },
  { name: 'nonceAccountOffchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
  {
    name: 'inUseByTransactionId',
    type: 'OFFCHAIN_ID',
    nullable: true,
    read: ({ context }) => context.lease?.transactionId ?? null,
  },
  { name: 'nonceAccountCode', type: 'TEXT', nullable: true, read: ({ context }) => context.references.code },
  { name: 'nonceHash', type: 'TEXT', nullable: true, read: ({ context }) => context.value },
  { name: 'isInUse', type: 'BOOLEAN', read: ({ context }) => context.lease !== null },
]

export const NONCES: Resource<RecordState<'nonce'>> = {
  fields: visibleOutside(FIELDS, [
    'nonceAuthorityOnchainId',
    'nonceAccountOnchainId',
    'nonceAccountOffchainId',
    'nonceAccountCode',
    'nonceHash',
  ]),
  defaultSort: [{ fieldName: 'isInUse', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}
