// A record that takes the place of another at the same address: what the account was known by, its rights, and its key.
import type { Holding } from '../../../machines/holding.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import { keepKey } from './keys.ts'

/** The holding as it goes on; of the type of a mint, and with books of its own. */
export function inheritedHolding(
  { context }: RecordState<'account'>,
  changes: Pick<Holding, 'ownerProgram' | 'dataLength' | 'lamports'>,
): Holding {
  const { tokenDecimals: _, ...holding } = context
  const { type } = holding.references
  const references = { ...holding.references, type: type === 'FUNDS_TOKEN' ? type : ('ASSET_TOKEN' as const) }
  return { ...holding, ...changes, references, creation: null, last: null }
}

/** The key is kept for the new record too: what is sealed is good in one place only. Nothing happens where no key is kept here. */
export function inheritKey(platform: Platform, unit: UnitOfWork, old: RecordState<'account'>, id: string): void {
  const { tenant, cluster } = old
  const { address, managed } = old.context
  const key = managed ? platform.keys.inherit({ tenant, cluster, id: old.id, address }) : null
  if (key !== null) keepKey(unit, { tenant, cluster, id, address }, key)
}
