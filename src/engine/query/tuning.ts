// Thresholds above which indexes are used. Smaller values only use indexes more often, as tests need.

export interface Tuning {
  /** Up to this number, rows are sorted by reading their records, and texts are examined one by one. */
  readonly fewRows: number
  /**
   * A filter that passes fewer than one row in this number is evaluated row by row, others by bitmaps over all rows.
   */
  readonly loose: number
  /** Minimum rows of a table for ordered indexes; an order is built when it is requested again. */
  readonly orderFrom: number
  /** Minimum number of distinct texts for a trigram index. */
  readonly trigramsFrom: number
  /** Maximum number of ordered indexes per table; the least recently used one is dropped. */
  readonly maxOrders: number
  /** Maximum number of cold rows kept at a time while lists are read; more are fetched piece by piece. */
  readonly maxKept: number
  /** Tables, columns and orders unused for this time are dropped. */
  readonly idleMs: number
}

export const TUNING: Tuning = {
  fewRows: 512,
  loose: 16,
  orderFrom: 8_192,
  trigramsFrom: 4_096,
  maxOrders: 12,
  maxKept: 4_096,
  idleMs: 600_000,
}
