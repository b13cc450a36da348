// Builds the reference that a record stores for an address.
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { isHolding, type RecordState } from '../../engine/records/record.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import { recordsOf } from './request-records.ts'
import { ownRecordsAt } from './whose-records.ts'
import type { Platform, Context } from '../context/platform.ts'

/** The address, with the id of the tenant's own record of it, if any. */
export function accountOf(
  platform: Platform,
  { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>,
  address: string,
): AccountRef {
  const [own] = ownRecordsAt(platform.engine.directory, tenant, cluster, address)
  return { address, id: own?.head.id ?? null }
}

/**
 * The address, with the id of the tenant's own record of it, or of a shared one. Records of other tenants are not used.
 */
export function referTo(context: Context, address: string): AccountRef {
  return referenceIn(recordsOf(context), context.call, address)
}

/** As `referTo`. */
export function referenceIn(
  records: RecordIndex,
  { tenant, cluster }: Pick<RecordState, 'tenant' | 'cluster'>,
  address: string,
): AccountRef {
  const heads = records.ownAtAddress(cluster, address).map(({ head }) => head)
  const shown =
    heads.find((head) => head.tenant === tenant) ?? heads.find((head) => isHolding(head) && head.context.shared)
  return { address, id: shown?.id ?? null }
}
