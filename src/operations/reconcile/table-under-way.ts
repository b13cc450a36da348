// Pending changes of a lookup table or a mint.
import { underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import type { Platform } from '../context/platform.ts'

/** The facts that the record receives if all transactions in progress land, in no defined order. */
export function eventsUnderWay(platform: Platform, { id }: RecordState<'lookupTable' | 'instrument'>): RecordEvent[] {
  return platform.engine.directory.find(underWayKey(id)).flatMap(({ head }) => {
    const entries = ofKind(head, 'transaction')?.context.fixed.entries.filter(({ record }) => record === id) ?? []
    return entries.flatMap(({ facts }) => facts.map(({ event }) => event))
  })
}
