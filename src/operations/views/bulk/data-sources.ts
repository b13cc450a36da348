// Bulk query fields of onchain data sources.
import type { Field, Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { visibleOutside } from './outside.ts'

const FIELDS: readonly Field<RecordState<'dataSource'>>[] = [
  { name: 'defiProtocol', type: 'TEXT', values: ['PUBLISHED_FEED'], read: ({ context }) => context.protocol },
  { name: 'dataType', type: 'TEXT', values: ['PRICE', 'RATING'], read: ({ context }) => context.dataKind },
  { name: 'ratingAgency', type: 'TEXT', nullable: true, read: ({ context }) => context.ratingProvider },
  { name: 'onchainDataSourceOffchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
  {
    name: 'financialInstrumentOffchainId',
    type: 'OFFCHAIN_ID',
    nullable: true,
    read: ({ context }) => context.financialInstrument.id,
  },
  {
    name: 'onchainDataSourceAuthorityOffchainId',
    type: 'OFFCHAIN_ID',
    nullable: true,
    read: ({ context }) => context.authority.id,
  },
  { name: 'onchainDataSourceOnchainId', type: 'ONCHAIN_ADDRESS_ID', read: ({ context }) => context.address },
  {
    name: 'financialInstrumentOnchainId',
    type: 'ONCHAIN_ADDRESS_ID',
    read: ({ context }) => context.financialInstrument.address,
  },
  {
    name: 'onchainDataSourceAuthorityOnchainId',
    type: 'ONCHAIN_ADDRESS_ID',
    read: ({ context }) => context.authority.address,
  },
]

/** Ids of records that are not shared together with the feed. */
const HIDDEN: ReadonlySet<string> = new Set(['financialInstrumentOffchainId', 'onchainDataSourceAuthorityOffchainId'])

export const DATA_SOURCES: Resource<RecordState<'dataSource'>> = {
  fields: visibleOutside(
    FIELDS,
    FIELDS.map(({ name }) => name).filter((name) => !HIDDEN.has(name)),
  ),
  defaultSort: [{ fieldName: 'dataType', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}
