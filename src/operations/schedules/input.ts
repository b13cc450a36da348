// The input of the endpoints of schedules, after validation.
import type { BatchOperation } from '../../../machines/batch.ts'
import type { Every } from '../../../machines/recurrence.ts'
import type { ScheduleContext } from '../../../machines/schedule.ts'

export interface NewScheduleInput {
  readonly operation: BatchOperation
  /** Item data of the operation, with its `externalReference`. */
  readonly itemData: object
  readonly startAt: string
  readonly every?: Every | undefined
  readonly at?: { readonly dayOfMonth?: number | undefined; readonly time: string; readonly zone: string } | undefined
  readonly endAt?: string | undefined
  readonly maxRuns?: number | undefined
  readonly onMissed?: ScheduleContext['onMissed'] | undefined
}

export interface ScheduleReference {
  readonly offchainId: string
}
