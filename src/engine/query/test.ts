// One value of a filter, understood: what is asked of the values a record holds in a field.
import type { Quantity } from './quantity.ts'

export type Test = NullTest | EqualTest | LikeTest | RangeTest

/** The record holds nothing there. */
export interface NullTest {
  readonly kind: 'null'
  readonly negated: boolean
}

/** Some member is one of these; of BOOLEAN fields `true` or `false`. */
export interface EqualTest {
  readonly kind: 'equal'
  readonly texts: readonly string[]
  readonly negated: boolean
}

/** Some member has the piece, in lower case as the member is then compared. */
export interface LikeTest {
  readonly kind: 'like'
  readonly place: 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH'
  readonly piece: string
  readonly negated: boolean
}

/** Some member lies between the bounds; null: no bound. Of numbers and instants. */
export interface RangeTest {
  readonly kind: 'range'
  readonly low: Bound | null
  readonly high: Bound | null
  readonly negated: boolean
}

export interface Bound {
  readonly value: Quantity
  /** The bound itself passes. */
  readonly included: boolean
}
