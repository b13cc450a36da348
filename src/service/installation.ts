// The state that the nodes of one installation share: the rows of the cells, the owner of each cell, and the cell of
// each tenant. It is in a database or in the directories of one process.
import type { NeighbourReads } from './neighbours.ts'
import type { NodeRows } from '../nodes/node-rows.ts'
import type { AllCells } from '../../snapshots/postgres/open-names.ts'
import type { Store } from '../../snapshots/store.ts'

export interface Installation {
  /** For renewals and claims. */
  readonly rows: NodeRows
  /** For polls, on a separate connection: a slow poll does not delay a renewal. */
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
  /** Opens the store of a cell that this node has claimed. */
  openCell(claimed: ClaimedCell): Promise<ClaimedStore>
  /** Must be called after all cells are closed. */
  close(): Promise<void>
}

/** Whose nodes are processes, each with settings of its own. */
export interface SharedInstallation extends Installation {
  /** What its first process has settled for all; undefined: nothing yet. */
  fact(name: string): Promise<unknown>
}

export interface ClaimedStore {
  readonly store: Store
  readonly reads: NeighbourReads
  /** Of commits to a database that did not answer at once. Absent: there is no database. */
  readonly retries?: () => { readonly askedAgain: number; readonly foundApplied: number }
}

export interface ClaimedCell {
  readonly cell: string
  readonly epoch: number
  /** True while there are other cells. */
  readonly hasNeighbours: () => boolean
  /** All cells; null: this node may no longer own all of its open cells. */
  readonly cells: () => AllCells | null
  readonly onFatal: (error: Error) => void
}
