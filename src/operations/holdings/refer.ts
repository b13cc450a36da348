// An address as a record refers to it.
import { addressKey } from '../../engine/index-keys.ts'
import type { RecordState } from '../../engine/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Platform } from '../platform.ts'

/** The address with the id of the record that the tenant has of it, if any. */
export function accountOf(platform: Platform, { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>, address: string): AccountRef {
  const own = platform.engine.directory.find(addressKey(cluster, address)).find(({ head }) => head.tenant === tenant)
  return { address, id: own?.head.id ?? null }
}
