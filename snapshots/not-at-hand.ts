// Rows that a store may have to fetch before synchronous reads can return them. On LevelDB every row is available. A
// store on PostgreSQL holds the rows of open records and fetches the others on request.

/** The target of a synchronous read. */
export type ColdKey =
  | { readonly read: 'idempotency'; readonly tenant: string; readonly cluster: string; readonly scope: string }
  | {
      readonly read: 'payload' | 'secret' | 'file'
      readonly tenant: string
      readonly cluster: string
      readonly id: string
    }
  | { readonly read: 'message'; readonly cluster: string; readonly hash: string }
  | { readonly read: 'old'; readonly id: string }
  | { readonly read: 'alias'; readonly cluster: string; readonly name: string }
  /** The records of other cells with the name. */
  | { readonly read: 'name'; readonly name: string }
  /** A claim instead of a row: no other cell can use the name, or sign the message, while it is held. */
  | { readonly read: 'claim'; readonly name: string }

/** The targets that are one row. */
export type RowKey = Exclude<ColdKey, { readonly read: 'name' | 'claim' }>

/**
 * Thrown by a synchronous read whose row is neither available nor known to be absent. The caller rolls back its unit of
 * work, fetches the keys (`Store.fetch`), and runs the unit of work again.
 */
export class NotAtHand extends Error {
  override readonly name = 'NotAtHand'
  readonly keys: readonly ColdKey[]

  /** Has no stack trace: most requests on PostgreSQL throw this error, and nothing uses the stack. */
  constructor(keys: readonly ColdKey[]) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${String(keys.length)} rows must be fetched first`)
    Error.stackTraceLimit = stackTraceLimit
    this.keys = keys
  }
}
