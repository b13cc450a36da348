// An installation on a PostgreSQL database, whose nodes may run on different machines.
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import type { ClaimedCell, Installation } from './installation.ts'
import type { NeighbourReads } from './neighbours.ts'
import { NodeRows } from '../nodes/node-rows.ts'
import type { Database } from '../../snapshots/postgres/database.ts'
import {
  lastChangeOf,
  recordsAfter,
  acknowledge,
  cellsBehind,
  type CommitRead,
} from '../../snapshots/postgres/following.ts'
import { logAfter } from '../../snapshots/keys.ts'
import { lastSent } from '../../snapshots/last-sent.ts'
import {
  holdersOf,
  TenantHomes,
  tenantOfRecord,
  tenantsOfOtherCells,
  wakeCellsOf,
} from '../../snapshots/postgres/homes.ts'
import { firstUndelivered, readInboxNumbers, readUndelivered } from '../../snapshots/postgres/messages.ts'
import type { SentMessage } from '../../snapshots/sent-message.ts'
import { pagesOf } from '../../snapshots/postgres/range-reads.ts'
import { CellsTogether } from '../../snapshots/postgres/cells-together.ts'
import { OpenNames } from '../../snapshots/postgres/open-names.ts'
import type { OpenCells } from '../../snapshots/postgres/postgres-disk.ts'
import { assertKnownRows, openPostgresStore, readFact } from '../../snapshots/postgres/postgres-store.ts'
import { SharedReads } from '../../snapshots/postgres/shared-reads.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'

/** Maximum timeout of a statement on the tables of nodes. A lease lasts longer than two statements. */
const MAX_BOUND_MS = 2_000

/**
 * Only a start ends because of a server that does not answer or takes no writes: a node that opens a cell waits for it,
 * as for every other answer.
 *
 * @param database checked connections to the database, which `close` closes
 */
export function postgresInstallation(database: Database, leaseMs: number): Installation {
  const boundMs = Math.min(MAX_BOUND_MS, leaseMs / 2)
  const [lane, pollLane] = [database.lane(), database.lane()]
  const homes = new TenantHomes(database, boundMs)
  const together = new CellsTogether(database)
  const open = { names: new OpenNames(), together }
  const pollRows = pollReadsOf(database)
  return {
    rows: new NodeRows(lane, boundMs),
    pollRows: new NodeRows(pollLane, boundMs),
    leaseMs,
    ...{ handsOver: true, answersOwner: true },
    fact: (name) => readFact(database, name),
    cellOfTenant: (tenant) => homes.cellOfTenant(tenant),
    tenantOf: (name) => homes.tenantOf(name),
    openCell: (claimed) => openCell(database.another(), { open, pollRows }, claimed),
    close() {
      for (const each of [lane, pollLane]) each.destroy()
      together.close()
      database.close()
      return Promise.resolve()
    },
  }
}

async function openCell(
  database: Database,
  { open, pollRows }: { readonly open: Omit<OpenCells, 'all'>; readonly pollRows: PollReads },
  { cell, epoch, hasNeighbours, cells, onFatal, stopping }: ClaimedCell,
) {
  const claim = () => Promise.resolve(epoch)
  const store = openPostgresStore({ database, cell, hasNeighbours, openCells: { ...open, all: cells }, claim, onFatal })
  // No commit waits for an answer before the store is open.
  const giveUp = (): void => database.close()
  stopping?.addEventListener('abort', giveUp)
  if (stopping?.aborted === true) giveUp()
  try {
    await store.claim()
    await assertKnownRows(database)
  } catch (error) {
    await store.close()
    throw error
  } finally {
    stopping?.removeEventListener('abort', giveUp)
  }
  const { retries, findLoss } = store
  return { store, reads: readsOf(database, { cell, epoch }, pollRows), retries, findLoss }
}

/** Reads that every cell repeats periodically. */
interface PollReads {
  undelivered(): AsyncIterable<readonly SentMessage[]>
  /** @param after a commit that an earlier reading included */
  recordsAfter(after: number): Promise<CommitRead>
}

const followed = { tenant: SYSTEM_TENANT, cell: MAIN_CELL }
/** If there are more messages, each cell reads them separately, in pages. */
const MAX_SHARED_MESSAGES = 1_000

/** @param database the database of the process */
function pollReadsOf(database: Database): PollReads {
  const messages = new SharedReads(() => firstUndelivered(database, MAX_SHARED_MESSAGES))
  const records = new SharedReads((after: number) => recordsAfter(database, followed, after))
  return {
    async *undelivered() {
      const first = await messages.read(undefined)
      if (first.length === MAX_SHARED_MESSAGES) yield* readUndelivered(database)
      else yield first
    },
    recordsAfter: (after) => records.read(after),
  }
}

export function readsOf(
  database: Database,
  reader: { readonly cell: string; readonly epoch: number },
  pollRows = pollReadsOf(database),
): NeighbourReads {
  const { cell } = reader
  return {
    tenantsOfOtherCells: () => tenantsOfOtherCells(database, cell),
    messages: { undelivered: () => pollRows.undelivered(), takenBy: (pairs) => readInboxNumbers(database, pairs) },
    sentTo: (sender, recipients) => lastSent(pagesOf(database, logAfter('outbox', sender, -1)), sender, recipients),
    holdersOf: (name) => holdersOf(database, name),
    tenantOfRecord: (record) => tenantOfRecord(database, record),
    wake: (tenants) => wakeCellsOf(database, tenants),
    // A cell that begins to follow, or owns again, does not use a shared reading: until now, no other cell has waited
    // for its acknowledgement.
    recordsAfter: (after, now) => (now ? recordsAfter(database, followed, after) : pollRows.recordsAfter(after)),
    acknowledge: (head) => acknowledge(database, reader, head),
    lastChangeOf: (keys) => lastChangeOf(database, keys),
    cellsBehind: (head) => cellsBehind(database, MAIN_CELL, head),
  }
}
