// The bulk query sources of the records that are evicted from memory after they have ended.
import type { EvictionOptions } from '../../../engine/eviction/eviction.ts'
import { BATCH_ITEM_SOURCE, BATCH_SOURCE } from './batches.ts'
import { DISTRIBUTION_SOURCE } from './distributions.ts'
import { PAYMENT_REQUEST_SOURCE } from './payment-requests.ts'
import { PENDING_CHANGE_SOURCE } from './pending-changes.ts'
import { OCCURRENCE_SOURCE, SCHEDULE_SOURCE } from './schedules.ts'
import { TRANSACTION_SOURCE } from './sources.ts'

export const EVICTED: Pick<EvictionOptions, 'source' | 'others'> = {
  source: TRANSACTION_SOURCE,
  others: {
    batch: BATCH_SOURCE,
    batchItem: BATCH_ITEM_SOURCE,
    schedule: SCHEDULE_SOURCE,
    occurrence: OCCURRENCE_SOURCE,
    distribution: DISTRIBUTION_SOURCE,
    paymentRequest: PAYMENT_REQUEST_SOURCE,
    pendingChange: PENDING_CHANGE_SOURCE,
  },
}
