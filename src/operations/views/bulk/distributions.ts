// Fields of bulk queries over distributions.
import type { DistributionState } from '../../../../machines/distribution.ts'
import type { Resource } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import { DISTRIBUTION_STATUS } from '../read-models/distribution.ts'
import { ownRecords } from './own-records.ts'
import { shortRows } from './short-rows.ts'

export const DISTRIBUTIONS: Resource<RecordState<'distribution'>> = {
  fields: [
    { name: 'offchainId', type: 'OFFCHAIN_ID', read: ({ id }) => id },
    {
      name: 'status',
      type: 'TEXT',
      values: Object.values(DISTRIBUTION_STATUS),
      read: ({ value }) => DISTRIBUTION_STATUS[value as DistributionState],
    },
    {
      name: 'financialInstrumentOnchainId',
      type: 'ONCHAIN_ADDRESS_ID',
      read: ({ context }) => context.instrument.address,
    },
    { name: 'externalReference', type: 'TEXT', nullable: true, read: ({ context }) => context.externalReference },
    { name: 'batchOffchainIds', type: 'OFFCHAIN_ID', nullable: true, read: ({ context }) => context.batches },
    { name: 'recordAt', type: 'TIMESTAMP', read: ({ context }) => context.recordAt },
    { name: 'createdAt', type: 'TIMESTAMP', read: ({ context }) => context.createdAt },
    { name: 'endedAt', type: 'TIMESTAMP', nullable: true, read: ({ context }) => context.endedAt },
  ],
  defaultSort: [{ fieldName: 'createdAt', sortDirection: 'DESC' }],
  id: ({ id }) => id,
}

export const DISTRIBUTION_SOURCE = ownRecords(
  'distribution',
  DISTRIBUTIONS,
  shortRows('distribution', 'createdAt', [
    'instrument',
    'externalReference',
    'batches',
    'recordAt',
    'createdAt',
    'endedAt',
  ]),
)
