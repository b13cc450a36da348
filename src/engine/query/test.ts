// A compiled filter value: a test of the values that a record holds in a field.
import type { Quantity } from './quantity.ts'

export type Test = NullTest | EqualTest | LikeTest | RangeTest

/** The field is null. */
export interface NullTest {
  readonly kind: 'null'
  readonly negated: boolean
}

/** A member equals one of the texts; for BOOLEAN fields `true` or `false`. */
export interface EqualTest {
  readonly kind: 'equal'
  readonly texts: readonly string[]
  readonly negated: boolean
}

/** A member contains the piece. Compared in lower case; the piece is in lower case already. */
export interface LikeTest {
  readonly kind: 'like'
  readonly place: 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH'
  readonly piece: string
  readonly negated: boolean
}

/** A member lies within the bounds; null: unbounded. For numbers and timestamps. */
export interface RangeTest {
  readonly kind: 'range'
  readonly low: Bound | null
  readonly high: Bound | null
  readonly negated: boolean
}

export interface Bound {
  readonly value: Quantity
  /** True if the bound itself passes. */
  readonly included: boolean
}
