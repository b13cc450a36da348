// What the endpoints of batches take, after validation.
import type { BatchOperation } from '../../../machines/batch.ts'
import type { JsonObject } from '../../contract/call.ts'

export interface NewBatchInput {
  readonly operation: BatchOperation
  /** Item data of the operation, each with its `externalReference`. */
  readonly items: readonly object[]
  readonly stopOnFailure?: boolean | undefined
}

export interface BatchReference {
  readonly offchainId: string
}

/** An item as it is made. */
export interface ItemToMake {
  readonly index: number
  /** Without its reference. */
  readonly data: JsonObject
  readonly externalReference: string | null
  readonly intent?: string
}
