// The types that describe a resource of the console.

export type Shape =
  | 'id'
  | 'text'
  | 'endpoint'
  | 'state'
  | 'flag'
  | 'amount'
  | 'lamports'
  /** Display units of the network currency. */
  | 'currency'
  | 'tokens'
  | 'time'
  | 'list'
  | 'count'
  /** An account that is referred to, by its name. */
  | 'party'
  /** The same of an instrument, by its symbol. */
  | 'instrument'
  /** The same, null for the network currency. */
  | 'asset'
  /** The account that a lookup of a request names. */
  | 'lookup'
  /** Of the data of a request: the amount that it moves. */
  | 'moved'
  /** Constants of the interface, in plain words. */
  | 'words'
  /** Hundredths of a basis point. */
  | 'percent'
  /** A list of items with an amount each, in the instrument of its account. */
  | 'sums'
  /** Of the whole item: a transaction in words. */
  | 'sentence'
  /** A constant of the interface, in plain words. */
  | 'word'
  | 'payer'

export interface Column {
  readonly label: string
  /** Member of an item, with dots. */
  readonly path: string
  readonly shape: Shape
  /** Member of each item of a list that has the amount. */
  readonly of?: string
  /** List whose record it is the id of. */
  readonly to?: string
  /** Field of the bulk query by which the column sorts; absent: none. */
  readonly field?: string
}

export interface Resource {
  /** In the console's addresses. */
  readonly name: string
  readonly title: string
  /** Of one of them, within a sentence. */
  readonly one: string
  /** Bulk endpoint, without `/api/v1`. */
  readonly path: string
  /** One of these roles is needed. */
  readonly roles: readonly string[]
  /** Member that names a record. */
  readonly id: string
  /** What a record is called, the first that is there. */
  readonly names: readonly string[]
  readonly columns: readonly Column[]
  /** Kind of the state machine; null: it has none. */
  readonly machine: string | null
  /** Endpoint of one record. `member`: that of `itemData` which names it; absent: `itemData` does. */
  readonly single?: { readonly path: string; readonly member?: string }
  /** Where there is no such endpoint: the field of the bulk query that holds the id. */
  readonly idField?: string
  /** Its address is an account of transactions. */
  readonly moves: boolean
}

export const column = (label: string, path: string, shape: Shape, field?: string): Column => ({
  label,
  path,
  shape,
  ...(field === undefined ? {} : { field }),
})
