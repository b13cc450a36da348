// The interface of one cell's engine to the other cells of the installation: the owner of a tenant, messages, the
// records of SYSTEM, and the acknowledgement that other cells have applied a switch.
import type { Engine } from '../engine/engine.ts'
import { CommitFollower, untilApplied } from '../engine/following.ts'
import { UnappliedSwitches } from '../engine/unapplied-switches.ts'
import { AcrossCells, type SharedMessages } from '../engine/outbox/across-cells.ts'
import type { RemoteDelivery } from '../engine/outbox/outbox.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import type { Log } from '../telemetry/log.ts'
import { sleep, systemClock } from '../time/clock.ts'
import type { OtherCells } from '../operations/context/platform.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { recordKey } from '../../snapshots/keys.ts'
import type { SentLast } from '../../snapshots/last-sent.ts'
import type { Envelope } from '../../snapshots/store.ts'

export interface Neighbours extends OtherCells {
  /** Absent: every tenant belongs to this cell. */
  readonly remoteDelivery?: RemoteDelivery
  /** Reads the records of SYSTEM that decisions depend on. Must resolve before the cell makes any decision. */
  begin(engine: Engine): Promise<void>
  /** Resolves when this cell has applied all commits before the call that its decisions depend on. */
  catchUp(): Promise<void>
  /** Starts to process messages of other cells. */
  start(engine: Engine): void
  /** Resolves when no change of other cells is being applied. */
  stop(): Promise<void>
}

/** Reads of the other cells' rows, and acknowledgements to them. */
export interface NeighbourReads {
  /** The tenants of all other cells. */
  tenantsOfOtherCells(): Promise<ReadonlySet<string>>
  readonly messages: SharedMessages
  /** The last message to each recipient that is still in the sender's outbox. */
  sentTo(sender: string, recipients: readonly string[]): Promise<readonly SentLast[]>
  /** The tenants of any cell that have a record with the name. */
  holdersOf(name: string): Promise<readonly string[]>
  /** The tenant of any cell that has the record; undefined: there is none. */
  tenantOfRecord(record: { readonly cluster: string; readonly id: string }): Promise<string | undefined>
  /** Makes the idle cells of these tenants due now. */
  wake(tenants: readonly string[]): Promise<void>
  /**
   * Records of SYSTEM that changed after a commit, and the last commit that they include. `after` -1: all records.
   *
   * @param now true: reads after the call; false: a slightly older reading may be shared
   */
  recordsAfter(after: number, now: boolean): Promise<{ readonly head: number; readonly records: readonly Envelope[] }>
  /** Acknowledges that this cell has applied all changes up to `head`. */
  acknowledge(head: number): Promise<unknown>
  /** The last commit that changed one of these rows. */
  lastChangeOf(keys: readonly string[]): Promise<number>
  /** The other live cells that have not applied a commit of SYSTEM's cell. */
  cellsBehind(head: number): Promise<readonly string[]>
}

interface Place {
  readonly reads: NeighbourReads
  readonly cell: string
  /** The tenants of the cell at the claim. Only a move changes them, and only while the cell is closed. */
  readonly tenants: readonly string[]
  readonly log: Log
}

/** The first cell has SYSTEM and all tenants that are in no other cell. */
export async function neighboursOf(place: Place): Promise<Neighbours> {
  const { reads, cell } = place
  let switches: UnappliedSwitches | null = null
  const untilSwitchesApplied = async (): Promise<void> => {
    await switches?.settle(
      (keys) => reads.lastChangeOf(keys),
      (commit) => untilApplied(() => reads.cellsBehind(commit), systemClock),
    )
  }
  if (cell === MAIN_CELL) {
    const others = await reads.tenantsOfOtherCells()
    const across = others.size === 0 ? undefined : acrossCells(place, (tenant) => !others.has(tenant))
    return {
      ...neighbours(place, { across, follow: null, untilApplied: untilSwitchesApplied }),
      begin: (engine) => {
        switches = new UnappliedSwitches(engine, SYSTEM_TENANT)
        return Promise.resolve()
      },
    }
  }
  const own = new Set(place.tenants)
  return neighbours(place, {
    across: acrossCells(place, (tenant) => own.has(tenant)),
    follow: (engine) => followingOf(place, engine),
    // Switches of SYSTEM happen in SYSTEM's own cell, except those of lanes for keys of other tenants.
    async untilApplied(turned = []) {
      if (turned.length === 0) return
      const rows = turned.map(({ cluster, id }) => recordKey(SYSTEM_TENANT, cluster, id))
      const commit = await reads.lastChangeOf(rows)
      await untilApplied(() => reads.cellsBehind(commit), systemClock)
    },
  })
}

interface Parts {
  readonly across: AcrossCells | undefined
  readonly follow: ((engine: Engine) => CommitFollower) | null
  readonly untilApplied: OtherCells['untilApplied']
}

function neighbours({ reads }: Place, { across, follow, untilApplied }: Parts): Neighbours {
  let following: CommitFollower | null = null
  return {
    ...(across === undefined ? {} : { remoteDelivery: across }),
    async begin(engine) {
      following = follow?.(engine) ?? null
      await following?.begin()
    },
    async catchUp() {
      await following?.catchUp()
    },
    start: (engine) => across?.start(engine.outbox),
    untilApplied,
    untilTaken: (sender, tenants) => untilTaken(reads, sender, tenants),
    holdersOf: (name) => reads.holdersOf(name),
    tenantOf: (record) => reads.tenantOfRecord(record),
    async stop() {
      await following?.stop()
      await across?.stop()
    },
  }
}

const TAKEN_POLL_MS = 20

/** Waits until the recipients have processed all messages of the sender. Rows absent from the outbox are processed. */
async function untilTaken(reads: NeighbourReads, sender: string, tenants: readonly string[]): Promise<void> {
  const sent = await reads.sentTo(sender, tenants)
  for (;;) {
    const taken = await reads.messages.takenBy(sent)
    if (sent.every(({ sequence }, at) => sequence <= (taken[at] ?? 0))) return
    await sleep(systemClock, TAKEN_POLL_MS)
  }
}

function acrossCells({ reads, cell, log }: Place, owns: (tenant: string) => boolean): AcrossCells {
  return new AcrossCells({
    messages: reads.messages,
    owns,
    wake: (tenants) => reads.wake(tenants),
    clock: systemClock,
    failed: ({ sender, to, sequence }, error) =>
      log.error({ err: error, cell, sender, to, sequence }, 'a message of another cell could not be applied: it waits'),
    unseen: (error) => log.warn({ err: error, cell }, 'the messages of other cells were not read'),
  })
}

function followingOf({ reads, cell, log }: Place, engine: Engine): CommitFollower {
  return new CommitFollower({
    read: (after, now) => reads.recordsAfter(after, now),
    apply: (records) => engine.follow(records),
    acknowledge: (head) => reads.acknowledge(head),
    clock: systemClock,
    onPollFailed: (error) => log.warn({ err: error, cell }, 'the records of SYSTEM were not read'),
  })
}
