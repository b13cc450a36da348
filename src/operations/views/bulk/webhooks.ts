// Bulk query fields of webhooks.
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'

export const WEBHOOKS: Resource<RecordState<'webhook'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    { name: 'url', type: 'TEXT', read: ({ context }) => context.url },
    { name: 'eventTypes', type: 'TEXT', read: ({ context }) => context.eventTypes },
    {
      name: 'status',
      type: 'TEXT',
      values: ['ENABLED', 'DISABLED'],
      read: ({ value }) => (value === 'enabled' ? 'ENABLED' : 'DISABLED'),
    },
    { name: 'disabled', type: 'BOOLEAN', read: ({ value }) => value === 'disabled' },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'disabledAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.disabledAt },
    { name: 'lastDeliveredAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.lastDeliveredAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}
