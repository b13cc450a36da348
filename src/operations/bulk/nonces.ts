// What can be asked of durable nonce accounts (interface 4.3).
import type { Resource } from '../../engine/query/field.ts'
import type { RecordState } from '../../engine/record.ts'

export const NONCES: Resource<RecordState<'nonce'>> = {
  fields: [
    { name: 'nonceAuthorityOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.authority.address },
    { name: 'nonceAccountOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.address },
    { name: 'nonceAuthorityOffchainId', type: 'OFFCHAIN_ID', read: ({ context }) => context.authority.id },
    { name: 'nonceAccountOffchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'inUseByTransactionId', type: 'OFFCHAIN_ID', read: ({ context }) => context.lease?.transactionId ?? null },
    { name: 'nonceAccountCode', type: 'TEXT', read: ({ context }) => context.references.code },
    { name: 'nonceHash', type: 'TEXT', read: ({ context }) => context.value },
    { name: 'isInUse', type: 'BOOLEAN', read: ({ context }) => context.lease !== null },
  ],
  defaultSort: [{ fieldName: 'isInUse', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}
