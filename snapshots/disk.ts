// The key-value database that the store requires: sorted keys, one atomic batch, and reliable errors. Production uses
// LevelDB (`level-disk.ts`); the disk of the tests loses unsynced writes in a crash.

export type DiskOp =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

/** Writes all operations or none. With `sync`, resolves only when the write survives a power failure. */
export type WriteBatch = (ops: DiskOp[], options: { readonly sync: boolean }) => Promise<void>

/** Keys from `gte` (inclusive) to `lt` (exclusive), in byte order; an absent bound is open. */
export interface Range {
  readonly gte?: string
  readonly lt?: string
}

export type RowPage = readonly (readonly [key: string, value: string])[]

/** Rows of records; `payload` is the payload row of a transaction. */
export type NamedRows = readonly (readonly [key: string, value: string, payload: string | null])[]

export interface ListedNames {
  readonly names: readonly string[]
  /** Number of all names that begin with the text. */
  readonly count: number
}

/** A consistent snapshot of the rows. Must be closed. */
export interface DiskSnapshot {
  get(key: string): string | undefined | Promise<string | undefined>
  pages(range: Range, limit?: number): AsyncIterable<RowPage>
  close(): Promise<void>
}

/** One pass over ascending ranges, which reads the rows as of its start. Must be closed. */
export interface DiskWalk {
  /** The first rows of a range, at most `most`. The range must be after all earlier ones. */
  take(range: Required<Range>, most: number): Promise<RowPage>
  close(): Promise<void>
}

export interface Disk {
  readonly write: WriteBatch
  /** Resolves when the rows for the next write should be taken. Absent: in the next turn of the event loop. */
  readonly beforeWrite?: () => Promise<void>
  /** Values may be written packed (`packed-row.ts`); reads return the text. */
  readonly packs?: boolean
  /**
   * `undefined` only if the key does not exist; any failure throws, `NotAtHand` for a row that must be fetched first.
   */
  get(key: string): string | undefined
  /** As `get`, for many keys, without blocking the event loop. */
  getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]>
  /** A pass over the rows of a range. After their common prefix, the keys must be ASCII. */
  walk(within: Range): DiskWalk
  /** The rows of a range as of the first read, in non-empty pages. Throws instead of ending early. */
  pages(range: Range, limit?: number): AsyncIterable<RowPage>
  /** The last key of a range. */
  lastKey(range: Range): Promise<string | undefined>
  /** The last row of a range. */
  lastRow(range: Range): Promise<RowPage[number] | undefined>
  /** Takes a snapshot of the rows. */
  snapshot(): DiskSnapshot
  /** Present on a disk that other processes also write. */
  readonly shared?: SharedDisk
  close(): Promise<void>
}

/** Claims of names that must not be used by two cells. */
export interface ClaimTable {
  /**
   * Claims the names that no other cell has claimed, and returns them. They belong to this cell until `leave`, or until
   * the cell has another owner. Names are those of `Names`.
   * @param token a UUID; a name that this cell claims again belongs to the newer token
   */
  take(names: readonly string[], token: string): Promise<readonly string[]>
  leave(token: string): Promise<void>
}

export interface NameTable {
  /** Tenants whose records have no names yet. */
  missing(): Promise<readonly string[]>
  complete(tenants: readonly string[]): Promise<void>
  readonly elsewhere: {
    /** True if there are other cells at this moment. */
    exists(): boolean
    /** The rows of the records of other cells with the name; the same object until they are fetched again. */
    get(name: string): NamedRows
    /** The rows of the records of other cells with a name that begins with this text, in key order. */
    under(beginning: string): Promise<RowPage>
    /** The first names of other cells that begin with this text, in order, and their number. Reads no record. */
    listed(beginning: string, limit: number): Promise<ListedNames>
    fetch(names: readonly string[], keptMs: number): Promise<void>
  }
  readonly claims: ClaimTable
}

/** A disk of several processes. Only the process that claimed it last may write. */
export interface SharedDisk {
  /** Fences all other writers, and returns the epoch under which this process writes. */
  claim(): Promise<number>
  /** The escaped tenants that this process may write, in key order. */
  tenants(): Promise<string[]>
  /**
   * Writes these rows if the first of them does not exist, also for a tenant that another process owns. Afterwards
   * `get` returns the stored rows.
   */
  settle(rows: readonly { readonly key: string; readonly text: string }[]): Promise<void>
  /**
   * Makes the rows of these keys, or their absence, available to `get`.
   * @param anew also reads rows that are already available, because other cells may have written them
   */
  fetch(keys: readonly string[], anew?: boolean): Promise<void>
  /** The table of names, which stores the rows whose keys are names. Absent: there is none. */
  readonly names?: NameTable
  /** Announces `close`: from now on, a pending write is retried for a limited time only. */
  closing(): void
}
