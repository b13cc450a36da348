// An address as a record refers to it.
import type { RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { ownRecordsAt } from './whose-records.ts'
import type { Platform } from '../context/platform.ts'

/** The address with the id of the record that the tenant has of it, if any. */
export function accountOf(platform: Platform, { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>, address: string): AccountRef {
  const [own] = ownRecordsAt(platform.engine.directory, tenant, cluster, address)
  return { address, id: own?.head.id ?? null }
}
