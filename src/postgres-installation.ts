// An installation on a PostgreSQL database, whose nodes are anywhere.
import { SYSTEM_TENANT } from './contract/tenancy.ts'
import type { ClaimedCell, Installation } from './installation.ts'
import type { NeighbourReads } from './neighbours.ts'
import { NodeRows } from './nodes/node-rows.ts'
import type { Database } from '../snapshots/postgres/database.ts'
import { lastChangeOf, recordsAfter, sayHeard, unheardBy } from '../snapshots/postgres/following.ts'
import { logAfter } from '../snapshots/keys.ts'
import { lastSent } from '../snapshots/last-sent.ts'
import { holdersOf, TenantHomes, tenantOfRecord, tenantsElsewhere, wakeCellsOf } from '../snapshots/postgres/homes.ts'
import { takenBy, undelivered } from '../snapshots/postgres/messages.ts'
import { pagesOf } from '../snapshots/postgres/range-reads.ts'
import { OpenNames } from '../snapshots/postgres/open-names.ts'
import { openPostgresStore } from '../snapshots/postgres/postgres-store.ts'
import { MAIN_CELL } from '../snapshots/postgres/schema.ts'

/** Of one statement on the tables of nodes; a lease outlasts two of them. */
const LONGEST_BOUND_MS = 2_000

/** @param openDatabase connections to the database, checked; each is closed by the caller that opened it */
export async function postgresInstallation(
  openDatabase: () => Promise<Database>,
  leaseMs: number,
): Promise<Installation> {
  const database = await openDatabase()
  const boundMs = Math.min(LONGEST_BOUND_MS, leaseMs / 2)
  const [lane, lookLane] = [database.lane(), database.lane()]
  const homes = new TenantHomes(database, boundMs)
  const names = new OpenNames()
  return {
    rows: new NodeRows(lane, boundMs),
    looks: new NodeRows(lookLane, boundMs),
    leaseMs,
    ...{ handsOver: true, answersOwner: true },
    cellOfTenant: (tenant) => homes.cellOfTenant(tenant),
    tenantOf: (name) => homes.tenantOf(name),
    openCell: async (claimed) => await openCell(await openDatabase(), names, claimed),
    close() {
      for (const each of [lane, lookLane]) each.destroy()
      database.close()
      return Promise.resolve()
    },
  }
}

async function openCell(
  database: Database,
  names: OpenNames,
  { cell, epoch, hasNeighbours, cells, onFatal }: ClaimedCell,
) {
  const claim = () => Promise.resolve(epoch)
  const store = openPostgresStore({ database, cell, hasNeighbours, openCells: { names, all: cells }, claim, onFatal })
  await store.claim()
  return { store, reads: readsOf(database, { cell, epoch }) }
}

export function readsOf(database: Database, reader: { readonly cell: string; readonly epoch: number }): NeighbourReads {
  const { cell } = reader
  return {
    tenantsElsewhere: () => tenantsElsewhere(database, cell),
    messages: { undelivered: () => undelivered(database), takenBy: (pairs) => takenBy(database, pairs) },
    sentTo: (sender, recipients) => lastSent(pagesOf(database, logAfter('outbox', sender, -1)), sender, recipients),
    holdersOf: (name) => holdersOf(database, name),
    tenantOfRecord: (record) => tenantOfRecord(database, record),
    wake: (tenants) => wakeCellsOf(database, tenants),
    recordsAfter: (after) => recordsAfter(database, { tenant: SYSTEM_TENANT, cell: MAIN_CELL }, after),
    sayHeard: (head) => sayHeard(database, reader, head),
    lastChangeOf: (keys) => lastChangeOf(database, keys),
    unheardBy: (head) => unheardBy(database, cell, head),
  }
}
