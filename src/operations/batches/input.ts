// An item of a batch between the request and its record.
import type { JsonObject } from '../../contract/call.ts'

/** An item as it is made. */
export interface ItemToMake {
  readonly index: number
  /** Without its reference. */
  readonly data: JsonObject
  readonly externalReference: string | null
  readonly intent?: string
}
