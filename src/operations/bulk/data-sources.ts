// What can be asked of onchain data sources (interface 4.3).
import type { Resource } from '../../engine/query/field.ts'
import type { RecordState } from '../../engine/record.ts'

export const DATA_SOURCES: Resource<RecordState<'dataSource'>> = {
  fields: [
    { name: 'defiProtocol', type: 'TEXT', read: ({ context }) => context.protocol },
    { name: 'dataType', type: 'TEXT', read: ({ context }) => context.dataKind },
    { name: 'ratingAgency', type: 'TEXT', nullable: true, read: ({ context }) => context.ratingProvider },
    { name: 'onchainDataSourceOffchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'financialInstrumentOffchainId', type: 'OFFCHAIN_ID', read: ({ context }) => context.financialInstrument.id },
    { name: 'onchainDataSourceAuthorityOffchainId', type: 'OFFCHAIN_ID', read: ({ context }) => context.authority.id },
    { name: 'onchainDataSourceOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.address },
    { name: 'financialInstrumentOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.financialInstrument.address },
    { name: 'onchainDataSourceAuthorityOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.authority.address },
  ],
  defaultSort: [{ fieldName: 'dataType', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}
