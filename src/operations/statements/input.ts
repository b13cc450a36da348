// Input of a statement, after validation.
import type { AccountLookup, PositionLookup } from '../../contract/input.ts'

export interface StatementInput {
  /** Exactly one of these three. */
  readonly account?: AccountLookup | undefined
  readonly position?: PositionLookup | undefined
  /** External id; only that of the organization that the request acts for. */
  readonly organization?: string | undefined
  /** ISO 8601, inclusive. */
  readonly from: string
  /** ISO 8601, exclusive; absent: as far as the movements are final. */
  readonly to?: string | undefined
  readonly format?: 'JSON' | 'CSV' | undefined
}
