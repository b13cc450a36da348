// What the console knows of a kind of record.

export type Shape =
  'id' | 'text' | 'endpoint' | 'state' | 'flag' | 'amount' | 'lamports' | 'tokens' | 'time' | 'list' | 'count'

export interface Column {
  readonly label: string
  /** Member of an item, with dots. */
  readonly path: string
  readonly shape: Shape
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
  /** Endpoint of one record and its lookup. */
  readonly single?: { readonly path: string; lookup(id: string): object }
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
export const byOffchainId = (offchainId: string): object => ({ offchainId })
