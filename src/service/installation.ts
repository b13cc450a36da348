// The state that the nodes of one installation share: the rows of the cells, the owner of each cell, and the cell of
// each tenant. It is in a database or in the directories of one process.
import type { NeighbourReads } from './neighbours.ts'
import type { NodeRows } from '../nodes/node-rows.ts'
import type { AllCells } from '../../snapshots/postgres/open-names.ts'
import type { Store } from '../../snapshots/store.ts'

export interface Installation {
  /** The connection for renewals and claims. */
  readonly rows: NodeRows
  /** The connection for polls, separate so that a slow poll does not delay a renewal. */
  readonly pollRows: NodeRows
  readonly leaseMs: number
  /** True: when a node stops, another one takes over its cells. */
  readonly handsOver: boolean
  /** False: commands over the socket of the data directory are not answered, because the first cell lacks data. */
  readonly answersOwner: boolean
  /** undefined: the tenant has never written a row. */
  cellOfTenant(tenant: string): Promise<string | undefined>
  /** The tenant of the record with this name, which must be unique. */
  tenantOf(name: string): Promise<string | undefined>
  /** The fact that is recorded for all nodes, as it is now; undefined: none. */
  fact(name: string): Promise<unknown>
  /** Opens the store of a cell that this node has claimed. */
  openCell(claimed: ClaimedCell): Promise<ClaimedStore>
  /** Must be called after all cells are closed. */
  close(): Promise<void>
}

export interface ClaimedStore {
  readonly store: Store
  readonly reads: NeighbourReads
  /** Counts of commits that were repeated because the database did not answer. Absent: there is no database. */
  readonly retries?: () => { readonly askedAgain: number; readonly foundApplied: number }
  /** As `CellRuntime.findLoss`. Absent: the process has the store for itself. */
  readonly findLoss?: () => Promise<Error | null>
}

export interface ClaimedCell {
  readonly cell: string
  readonly epoch: number
  /** True while there are other cells. */
  readonly hasNeighbours: () => boolean
  /** All cells; null: this node may no longer own all of its open cells. */
  readonly cells: () => AllCells | null
  readonly onFatal: (error: Error) => void
  /** Ends the wait for a database that does not answer. Absent: it is waited for. */
  readonly stopping?: AbortSignal
}
