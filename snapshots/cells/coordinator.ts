// What the cells of one process ask of each other beside rows: claims of names, and what has changed of a tenant that
// all cells follow. It is kept in memory, in one place for all threads: it ends with the process, as their ownership of
// cells does.

export interface CellCoordinator {
  /**
   * Sets what all cells have in common, as `SharedDisk.settle`: the owner of the first cell writes it. Waits until that
   * cell has one.
   */
  settle(rows: readonly CommonRow[]): Promise<void>
  /** As `ClaimTable.take`, for the owner of a cell under an epoch. */
  takeClaims(owner: CellOwner, names: readonly string[], token: string): Promise<readonly string[]>
  leaveClaims(token: string): Promise<void>
  /** Rows of the followed tenant have been written, durably. */
  rowsChanged(keys: readonly string[]): Promise<void>
  /** The rows written after a change, and the number of the last change. */
  changesAfter(change: number): Promise<{ readonly change: number; readonly keys: readonly string[] }>
  /** The number of the last change of one of these rows; 0: none has changed since the process began. */
  lastChangeOf(keys: readonly string[]): Promise<number>
  /** A cell has applied the changes so far. */
  heard(owner: CellOwner, change: number): Promise<void>
  /** The owned cells beside this one that have not applied a change. */
  unheardBy(cell: string, change: number): Promise<readonly string[]>
}

export interface CellOwner {
  readonly cell: string
  readonly epoch: number
}

export interface CommonRow {
  readonly key: string
  readonly text: string
}
