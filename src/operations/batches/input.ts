// An item of a batch between the request and its record.
import type { JsonObject } from '../../contract/call.ts'

/** An item before its transaction is made. */
export interface ItemToMake {
  readonly index: number
  /** The item data without `externalReference`. */
  readonly data: JsonObject
  readonly externalReference: string | null
  readonly intent?: string
}
