// From how many rows on an index pays. Smaller numbers only make more use of the indexes, which is what tests want.

export interface Tuning {
  /** So few rows are sorted by reading their records, and so few texts are looked at one by one. */
  readonly fewRows: number
  /** A filter that lets through less than one row in so many is followed row by row, others by bits over all rows. */
  readonly loose: number
  /** A table of so many rows is worth an ordered index; it is made when the order is asked for again. */
  readonly orderFrom: number
  /** So many different texts are worth an index of their trigrams. */
  readonly trigramsFrom: number
  /** Ordered indexes of a table; the one used least recently gives way. */
  readonly mostOrders: number
  /** Rows of old records kept at a time, while lists are read; more are asked for piece by piece. */
  readonly mostKept: number
  /** What nobody asked for so long is forgotten. */
  readonly idleMs: number
}

export const TUNING: Tuning = {
  fewRows: 512,
  loose: 16,
  orderFrom: 8_192,
  trigramsFrom: 4_096,
  mostOrders: 12,
  mostKept: 4_096,
  idleMs: 600_000,
}
