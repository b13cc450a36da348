// What transactions on their way will do to a lookup table, or to a mint.
import { underWayKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { RecordEvent } from '../../../machines/transaction-record.ts'
import type { Platform } from '../context/platform.ts'

/** Facts that the record will hear if all of them land, in no promised order. */
export function eventsUnderWay(platform: Platform, { id }: RecordState<'lookupTable' | 'instrument'>): RecordEvent[] {
  return platform.engine.directory.find(underWayKey(id)).flatMap(({ head }) => {
    const entries = ofKind(head, 'transaction')?.context.fixed.entries.filter(({ record }) => record === id) ?? []
    return entries.flatMap(({ facts }) => facts.map(({ event }) => event))
  })
}
