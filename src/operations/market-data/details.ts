// Rules between the members of `dataDetails`.
import { badRequest } from '../../contract/refusal.ts'
import type { DataKind } from '../../contract/market-data.ts'

/** Throws 400 `NOT_APPLICABLE`. */
export function checkDataDetails(kind: DataKind, ratingProvider: string | null | undefined): void {
  if (kind === 'PRICE' && ratingProvider !== undefined && ratingProvider !== null)
    throw badRequest('NOT_APPLICABLE', 'a price has no ratingProvider', '/itemData/dataDetails/ratingProvider')
}
