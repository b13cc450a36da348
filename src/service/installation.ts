// What the nodes of one installation share: the rows of their cells, who owns which cell, and where a tenant is. It is
// a database, or the directories of one process.
import type { NeighbourReads } from './neighbours.ts'
import type { NodeRows } from '../nodes/node-rows.ts'
import type { Store } from '../../snapshots/store.ts'

export interface Installation {
  /** For renewals and claims. */
  readonly rows: NodeRows
  /** For looks: one that waits delays no renewal. */
  readonly looks: NodeRows
  readonly leaseMs: number
  /** True: another node takes over the cells of one that stops. */
  readonly handsOver: boolean
  /** False: what the first cell knows is a part of it, so the owner of the data directory is not answered. */
  readonly answersOwner: boolean
  /** undefined: nothing of the tenant was ever written. */
  cellOfTenant(tenant: string): Promise<string | undefined>
  /** The tenant of the record that has a name which no two records have. */
  tenantOf(name: string): Promise<string | undefined>
  /** Of a cell that this node has claimed. */
  openCell(claimed: ClaimedCell): Promise<ClaimedStore>
  /** When all cells are closed. */
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
  /** All cells; null: another node may own some of those that this one has open. */
  readonly cells: () => Iterable<string> | null
  readonly onFatal: (error: Error) => void
}
