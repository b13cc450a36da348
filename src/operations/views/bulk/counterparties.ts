// Fields of bulk queries over counterparties.
import { COUNTERPARTY_STATUSES } from '../../../../machines/counterparty.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { ownRecords } from './own-records.ts'

export const COUNTERPARTIES: Resource<RecordState<'counterparty'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: ({ context }) => context.externalReference },
    { name: 'name', type: 'TEXT', read: ({ context }) => context.name },
    { name: 'status', type: 'TEXT', values: COUNTERPARTY_STATUSES, read: ({ context }) => context.status },
    {
      name: 'onchainId',
      type: 'TEXT',
      nullable: true,
      read: ({ context }) => context.addresses.map(({ address }) => address),
    },
    { name: 'note', type: 'TEXT', nullable: true, read: ({ context }) => context.note },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'updatedAt', type: 'TIMESTAMP', read: ({ context }) => context.updatedAt },
  ],
  defaultSort: [{ fieldName: 'name', sortDirection: 'ASC' }],
  id: ({ id }) => id,
}

export const COUNTERPARTY_SOURCE = ownRecords('counterparty', COUNTERPARTIES)
