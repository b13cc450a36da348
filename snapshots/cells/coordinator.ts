// State that the cells of one process share besides rows: claims of names, and changes of the tenant that all cells
// follow. One thread holds it in memory for all. It is lost with the process, like the ownership of the cells.

export interface CellCoordinator {
  /**
   * Sets facts that all cells share, as `SharedDisk.settle`. The owner of the first cell writes them; waits until that
   * cell has an owner.
   */
  settle(rows: readonly CommonRow[]): Promise<void>
  /** As `ClaimTable.take`, for the owner of a cell under an epoch. */
  takeClaims(owner: CellOwner, names: readonly string[], token: string): Promise<readonly string[]>
  leaveClaims(token: string): Promise<void>
  /** Must be called when rows of the followed tenant are durable. */
  rowsChanged(keys: readonly string[]): Promise<void>
  /** The keys of the rows that changed after a change, and the number of the last change. */
  changesAfter(change: number): Promise<{ readonly change: number; readonly keys: readonly string[] }>
  /** The number of the last change of one of these rows; 0: none has changed since the process started. */
  lastChangeOf(keys: readonly string[]): Promise<number>
  /** Records that a cell has applied all changes up to this one. */
  acknowledge(owner: CellOwner, change: number): Promise<void>
  /** The other cells with an owner that have not applied a change. */
  cellsBehind(cell: string, change: number): Promise<readonly string[]>
}

export interface CellOwner {
  readonly cell: string
  readonly epoch: number
}

export interface CommonRow {
  readonly key: string
  readonly text: string
}
