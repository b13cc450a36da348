// An installation in the data directory of one process, whose threads are the nodes. Each cell has a LevelDB directory.
// Only the thread that owns the cell writes it; all threads read it.
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import type { ClaimedCell, Installation } from './installation.ts'
import type { NeighbourReads } from './neighbours.ts'
import type { Coordinator } from '../nodes/coordinator.ts'
import { NodeRows } from '../nodes/node-rows.ts'
import { CellDisk } from '../../snapshots/cells/cell-disk.ts'
import { tenantsIn, type CellDirectories, type CellDirectory } from '../../snapshots/cells/directories.ts'
import { tenantNamed, tenantsNamed } from '../../snapshots/cells/names.ts'
import { openStoreOnShared } from '../../snapshots/disk-store.ts'
import { sentMessage } from '../../snapshots/sent-message.ts'
import type { RowPage } from '../../snapshots/disk.ts'
import {
  inboxKey,
  logAfter,
  MESSAGES,
  metaKey,
  nameText,
  oldKey,
  recordKey,
  recordsOf,
  unescapePart,
} from '../../snapshots/keys.ts'
import { lastSent } from '../../snapshots/last-sent.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { decode, decodeOld, recordDecoder } from '../../snapshots/rows.ts'

/** Leases need not expire, because all threads end together. */
const LEASE_MS = 3_600_000
const BOUND_MS = 60_000

interface LevelInstallationOptions {
  /** Opened in this thread. The installation closes them. */
  readonly directories: CellDirectories
  readonly coordinator: Coordinator
  /** Called when this thread has opened the first cell. */
  readonly onFirst?: (disk: CellDisk) => void
}

export function levelInstallation(options: LevelInstallationOptions): Installation {
  const { directories, coordinator } = options
  const database = {
    query: ({ name }: { readonly name: string }, values: Parameters<Coordinator['nodeRows']>[1]) =>
      coordinator.nodeRows(name, values),
  }
  const rows = new NodeRows(database, BOUND_MS)
  return {
    ...{ rows, pollRows: rows, leaseMs: LEASE_MS, handsOver: false },
    answersOwner: directories.all.length === 1,
    cellOfTenant: (tenant) => Promise.resolve(directories.cellOf(tenant)),
    async tenantOf(name) {
      const tenant = await tenantNamed(directories.all, nameText(name))
      return tenant === undefined ? undefined : unescapePart(tenant)
    },
    fact(name) {
      const key = metaKey(name)
      const text = directories.main.disk.get(key)
      return Promise.resolve(text === undefined ? undefined : decode(key, text))
    },
    openCell: (claimed) => openCell(options, claimed),
    close: () => directories.close(),
  }
}

async function openCell(
  { directories, coordinator, onFirst }: LevelInstallationOptions,
  { cell, epoch, onFatal }: ClaimedCell,
) {
  const claim = () => Promise.resolve(epoch)
  const disk = new CellDisk({ directories, cell, coordinator, followed: SYSTEM_TENANT, claim })
  const store = openStoreOnShared(disk, { path: cell, onFatal })
  await store.claim()
  if (cell === MAIN_CELL) onFirst?.(disk)
  const reads: NeighbourReads = {
    tenantsOfOtherCells: async () => new Set((await Promise.all(directories.others(cell).map(tenantsIn))).flat()),
    messages: {
      undelivered: () => messagesIn(directories.all),
      takenBy: (pairs) =>
        Promise.resolve(
          pairs.map(({ to, sender }) => {
            const key = inboxKey(to, sender)
            const text = disk.get(key)
            return text === undefined ? 0 : Number(decode(key, text))
          }),
        ),
    },
    sentTo: (sender, recipients) => lastSent(disk.pages(logAfter('outbox', sender, -1)), sender, recipients),
    holdersOf: async (name) => (await tenantsNamed(directories.all, nameText(name))).map(unescapePart),
    tenantOfRecord: (record) => tenantOfRecord(directories, disk, record),
    recordsAfter: (after) => recordsAfter(directories.main, coordinator, after),
    acknowledge: (head) => coordinator.acknowledge({ cell, epoch }, head),
    lastChangeOf: (keys) => coordinator.lastChangeOf(keys),
    // Threads never release a cell as idle.
    wake: () => Promise.resolve(),
    cellsBehind: (head) => coordinator.cellsBehind(MAIN_CELL, head),
  }
  return { store, reads }
}

async function tenantOfRecord(
  { all }: CellDirectories,
  disk: CellDisk,
  { cluster, id }: { readonly cluster: string; readonly id: string },
): Promise<string | undefined> {
  const cold = oldKey(id)
  const text = disk.get(cold)
  if (text !== undefined) return decodeOld(cold, id, text).tenant
  for (const directory of all)
    for (const tenant of await tenantsIn(directory))
      if (directory.disk.get(recordKey(tenant, cluster, id)) !== undefined) return tenant
  return undefined
}

async function* messagesIn(all: readonly CellDirectory[]) {
  for (const { disk } of all) for await (const page of disk.pages(MESSAGES)) yield page.map(sentMessage)
}

/** Reads the number of the last change before the rows, so that the rows are at least as new. */
async function recordsAfter({ disk }: CellDirectory, coordinator: Coordinator, after: number) {
  const { change, keys } = await coordinator.changesAfter(after)
  const decodeRecord = recordDecoder(SYSTEM_TENANT)
  const recordsIn = (page: RowPage) => page.map(([key, text]) => decodeRecord(key, text))
  if (after >= 0) {
    const changed = keys.flatMap((key): [string, string][] => {
      const text = disk.get(key)
      return text === undefined ? [] : [[key, text]]
    })
    return { head: change, records: recordsIn(changed) }
  }
  const records = []
  for await (const page of disk.pages(recordsOf(SYSTEM_TENANT))) records.push(...recordsIn(page))
  return { head: change, records }
}
