// Rows that a store may have to fetch before its synchronous reads can answer. LevelDB has every row at hand; a store
// behind a network has those of open records, and fetches others on request.

/** What a synchronous read asks for. */
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
  /** The records of other cells that have the name. */
  | { readonly read: 'name'; readonly name: string }
  /** Not a row: that no other cell gives the name, or signs the message, meanwhile. */
  | { readonly read: 'claim'; readonly name: string }

/** What is read by one key. */
export type RowKey = Exclude<ColdKey, { readonly read: 'name' | 'claim' }>

/**
 * Thrown by a synchronous read whose row is neither at hand nor known to be absent. The caller's unit of work is
 * undone, the keys are fetched (`Store.fetch`), and the unit of work begins again.
 */
export class NotAtHand extends Error {
  override readonly name = 'NotAtHand'
  readonly keys: readonly ColdKey[]

  /** Without a stack: most requests on a database throw it, and nobody reads the stack. */
  constructor(keys: readonly ColdKey[]) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${String(keys.length)} rows are not at hand`)
    Error.stackTraceLimit = stackTraceLimit
    this.keys = keys
  }
}
