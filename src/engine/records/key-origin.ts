// Whether others than this service may have the key of an address, and so may sign any message that they know.
import type { Entry } from './entry.ts'
import { isHolding } from './record.ts'

/**
 * True if this service generated the key and has never exported it.
 *
 * @param records all records at the address
 */
export function isKeyOnlyHere(records: readonly Entry[]): boolean {
  const managed = records.flatMap(({ head }) => (isHolding(head) && head.context.managed ? [head.context] : []))
  return managed.length > 0 && managed.every(({ keyOrigin }) => keyOrigin === 'service')
}
