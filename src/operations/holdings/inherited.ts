// Replaces a record by another one at the same address, keeping its references, its rights and its key.
import type { Holding } from '../../../machines/holding.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { keepKey } from './keys.ts'

/** The holding of the new record: the type of a mint, and its own balances. */
export function inheritedHolding(
  { context }: RecordState<'account'>,
  changes: Pick<Holding, 'ownerProgram' | 'dataLength' | 'lamports'>,
): Holding {
  const { tokenDecimals: _, tokenVersion: __, ...holding } = context
  const { type } = holding.references
  const references = { ...holding.references, type: type === 'FUNDS_TOKEN' ? type : ('ASSET_TOKEN' as const) }
  return { ...holding, ...changes, references, creation: null, last: null }
}

/**
 * Stores the key for the new record too: a sealed key is bound to one record. No effect if the key is not stored
 * here.
 */
export function inheritKey(platform: Platform, unit: UnitOfWork, old: RecordState<'account'>, id: string): void {
  const { tenant, cluster } = old
  const { address, managed } = old.context
  const key = managed ? platform.keys.inherit({ tenant, cluster, id: old.id, address }) : null
  if (key !== null) keepKey(unit, { tenant, cluster, id, address }, key)
}
