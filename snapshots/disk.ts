// What the store requires of a key-value database: sorted keys, one atomic batch, and reliable errors. Production uses
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

export type Page = readonly (readonly [key: string, value: string])[]

/** Rows of records; `payload` is the row of a transaction beside it. */
export type NamedRows = readonly (readonly [key: string, value: string, payload: string | null])[]

export interface ListedNames {
  readonly names: readonly string[]
  /** Of all that begin so. */
  readonly count: number
}

/** The rows at one moment, unaffected by later writes. Must be closed. */
export interface DiskSnapshot {
  get(key: string): string | undefined | Promise<string | undefined>
  pages(range: Range, limit?: number): AsyncIterable<Page>
  close(): Promise<void>
}

/** One pass over ascending ranges, as of its start. Must be closed. */
export interface DiskWalk {
  /** The first rows of a range, at most `most`. The range must be after all those taken before. */
  take(range: Required<Range>, most: number): Promise<Page>
  close(): Promise<void>
}

export interface Disk {
  readonly write: WriteBatch
  /** Values may be written packed (`packed-row.ts`); reads return the text. */
  readonly packs?: boolean
  /**
   * `undefined` only if the key does not exist; any failure throws, `NotAtHand` for a row that must be fetched first.
   */
  get(key: string): string | undefined
  /** As `get`, of many keys, without holding the event loop. */
  getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]>
  /** A pass over rows within a range, whose keys must be ASCII after the beginning that they share. */
  walk(within: Range): DiskWalk
  /** The rows of a range as of the first read, in non-empty pages. Throws instead of ending early. */
  pages(range: Range, limit?: number): AsyncIterable<Page>
  /** The last key of a range. */
  lastKey(range: Range): Promise<string | undefined>
  /** The last row of a range. */
  lastRow(range: Range): Promise<Page[number] | undefined>
  /** A snapshot of the present moment. */
  snapshot(): DiskSnapshot
  /** Present on a disk that other processes write too. */
  readonly shared?: SharedDisk
  close(): Promise<void>
}

/** What the cells of a database claim before they write it. */
export interface ClaimTable {
  /**
   * Claims the names that no other owner of a cell has claimed, and returns them. They belong to this cell until
   * `leave`, or until it has another owner. Names are those of `Names`.
   * @param token a UUID; a name that is claimed again belongs to the newer token
   */
  take(names: readonly string[], token: string): Promise<readonly string[]>
  leave(token: string): Promise<void>
}

export interface NameTable {
  /** Tenants whose records have no names yet. */
  missing(): Promise<readonly string[]>
  complete(tenants: readonly string[]): Promise<void>
  readonly elsewhere: {
    /** False: this is the only cell at this moment. */
    exists(): boolean
    /** The rows of the records of other cells that have the name; the same object until they are fetched again. */
    get(name: string): NamedRows
    /** The rows of the records of other cells that have a name which begins so, in key order. */
    under(beginning: string): Promise<Page>
    /** The first names of records of other cells that begin so, in order, and their number. Reads no record. */
    listed(beginning: string, limit: number): Promise<ListedNames>
    fetch(names: readonly string[], keptMs: number): Promise<void>
  }
  readonly claims: ClaimTable
}

/** A disk of several processes, of which one at a time may write: the last to claim it. */
export interface SharedDisk {
  /** Refuses all other writers from now on, and returns the epoch under which this process writes. */
  claim(): Promise<number>
  /** The tenants that may be written here, as their names stand in keys, in key order. */
  tenants(): Promise<string[]>
  /**
   * Writes these rows if the first of them does not exist, also for a tenant that another process owns. Afterwards
   * `get` answers.
   */
  settle(rows: readonly { readonly key: string; readonly text: string }[]): Promise<void>
  /**
   * Makes the rows of these keys, or their absence, available to `get`.
   * @param anew reads also what is at hand: other cells may have written it
   */
  fetch(keys: readonly string[], anew?: boolean): Promise<void>
  /** The table of names, which rows with keys of names are written to. Absent: there is none. */
  readonly names?: NameTable
  /** What is being written is not waited for without end from now on. */
  closing(): void
}
