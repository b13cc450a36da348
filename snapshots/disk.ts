// What the store needs of a key-value database: sorted keys, one atomic batch, and honest errors. The real one is LevelDB
// (`level-disk.ts`); a test's loses on a crash whatever was not synced.

export type DiskOp =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

/** Write all or nothing. With `sync`, resolve only once it survives a power cut. */
export type WriteBatch = (ops: DiskOp[], options: { readonly sync: boolean }) => Promise<void>

/** Keys from `gte`, up to but without `lt`, in byte order; an absent bound is none. */
export interface Range {
  readonly gte?: string
  readonly lt?: string
}

export type Page = readonly (readonly [key: string, value: string])[]

/** The rows as they were at one moment, whatever is written later. To be closed. */
export interface DiskSnapshot {
  get(key: string): string | undefined
  pages(range: Range, limit?: number): AsyncIterable<Page>
  close(): Promise<void>
}

export interface Disk {
  readonly write: WriteBatch
  /** `undefined` only where there is no such key; whatever else goes wrong throws. */
  get(key: string): string | undefined
  /** The rows of a range as of the first read, in pages of any size but 0. Throws rather than end early. */
  pages(range: Range, limit?: number): AsyncIterable<Page>
  /** The last key of a range. */
  lastKey(range: Range): Promise<string | undefined>
  /** Of this very moment. */
  snapshot(): DiskSnapshot
  close(): Promise<void>
}
