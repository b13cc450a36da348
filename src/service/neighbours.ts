// What the engine of one cell needs of the other cells of its installation: who owns a tenant, messages to it and from
// it, the records of SYSTEM, and when the others have applied a switch.
import type { Engine } from '../engine/engine.ts'
import { Following, untilHeard } from '../engine/following.ts'
import { UnheardSwitches } from '../engine/unheard-switches.ts'
import { AcrossCells, type SharedMessages } from '../engine/outbox/across-cells.ts'
import type { Elsewhere } from '../engine/outbox/outbox.ts'
import { SYSTEM_TENANT } from '../contract/tenancy.ts'
import type { Log } from '../telemetry/log.ts'
import { sleep, systemClock } from '../time/clock.ts'
import type { OtherCells } from '../operations/context/platform.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { recordKey } from '../../snapshots/keys.ts'
import type { SentLast } from '../../snapshots/last-sent.ts'
import type { Envelope } from '../../snapshots/store.ts'

export interface Neighbours extends OtherCells {
  /** Absent: every tenant is of this cell. */
  readonly elsewhere?: Elsewhere
  /** Reads what decisions depend on. Must resolve before the cell decides anything. */
  begin(engine: Engine): Promise<void>
  /** Resolves when what decisions depend on holds here as it was committed before the call. */
  catchUp(): Promise<void>
  /** Takes messages from now on. */
  start(engine: Engine): void
  /** Resolves when nothing of other cells is being applied. */
  stop(): Promise<void>
}

/** What one cell reads of the others, and says to them. */
export interface NeighbourReads {
  /** Of all other cells. */
  tenantsElsewhere(): Promise<ReadonlySet<string>>
  readonly messages: SharedMessages
  /** The last message to each recipient that the sender has not cleared; none to those whose messages are cleared. */
  sentTo(sender: string, recipients: readonly string[]): Promise<readonly SentLast[]>
  /** The tenants that have a record of the name, of any cell. */
  holdersOf(name: string): Promise<readonly string[]>
  /** The tenant that has the record, of any cell; undefined: there is none. */
  tenantOfRecord(record: { readonly cluster: string; readonly id: string }): Promise<string | undefined>
  /** The idle cells of these tenants are due. */
  wake(tenants: readonly string[]): Promise<void>
  /**
   * The records of SYSTEM that changed after a commit, as they are now, and the last commit seen. `after` -1: all.
   *
   * @param now true: as of no moment before the call; otherwise as of a moment ago
   */
  recordsAfter(after: number, now: boolean): Promise<{ readonly head: number; readonly records: readonly Envelope[] }>
  /** This cell has applied what it has read. */
  sayHeard(head: number): Promise<unknown>
  /** The commit that last changed one of these rows. */
  lastChangeOf(keys: readonly string[]): Promise<number>
  /** The live cells beside that of SYSTEM that have not applied a commit of it. */
  unheardBy(head: number): Promise<readonly string[]>
}

interface Place {
  readonly reads: NeighbourReads
  readonly cell: string
  /** The tenants of the cell as of the claim: only a move changes them, while the cell is closed. */
  readonly tenants: readonly string[]
  readonly log: Log
}

/** SYSTEM is in the first cell, and so is every tenant that has not been moved. */
export async function neighboursOf(place: Place): Promise<Neighbours> {
  const { reads, cell } = place
  let switches: UnheardSwitches | null = null
  const heard = async (): Promise<void> => {
    await switches?.settle(
      (keys) => reads.lastChangeOf(keys),
      (commit) => untilHeard(() => reads.unheardBy(commit), systemClock),
    )
  }
  if (cell === MAIN_CELL) {
    const others = await reads.tenantsElsewhere()
    const across = others.size === 0 ? undefined : acrossCells(place, (tenant) => !others.has(tenant))
    return {
      ...neighbours(place, { across, follow: null, heard }),
      begin: (engine) => {
        switches = new UnheardSwitches(engine, SYSTEM_TENANT)
        return Promise.resolve()
      },
    }
  }
  const own = new Set(place.tenants)
  return neighbours(place, {
    across: acrossCells(place, (tenant) => own.has(tenant)),
    follow: (engine) => followingOf(place, engine),
    // What SYSTEM switches, it switches in its own cell, but for the lanes of other tenants' keys.
    async heard(turned = []) {
      if (turned.length === 0) return
      const rows = turned.map(({ cluster, id }) => recordKey(SYSTEM_TENANT, cluster, id))
      const commit = await reads.lastChangeOf(rows)
      await untilHeard(() => reads.unheardBy(commit), systemClock)
    },
  })
}

interface Parts {
  readonly across: AcrossCells | undefined
  readonly follow: ((engine: Engine) => Following) | null
  readonly heard: OtherCells['untilHeard']
}

function neighbours({ reads }: Place, { across, follow, heard }: Parts): Neighbours {
  let following: Following | null = null
  return {
    ...(across === undefined ? {} : { elsewhere: across }),
    async begin(engine) {
      following = follow?.(engine) ?? null
      await following?.begin()
    },
    async catchUp() {
      await following?.catchUp()
    },
    start: (engine) => across?.start(engine.outbox),
    untilHeard: heard,
    untilTaken: (sender, tenants) => untilTaken(reads, sender, tenants),
    holdersOf: (name) => reads.holdersOf(name),
    tenantOf: (record) => reads.tenantOfRecord(record),
    async stop() {
      await following?.stop()
      await across?.stop()
    },
  }
}

const TAKEN_LOOK_MS = 20

/** Rows of the outbox that are gone were taken. */
async function untilTaken(reads: NeighbourReads, sender: string, tenants: readonly string[]): Promise<void> {
  const sent = await reads.sentTo(sender, tenants)
  for (;;) {
    const taken = await reads.messages.takenBy(sent)
    if (sent.every(({ sequence }, at) => sequence <= (taken[at] ?? 0))) return
    await sleep(systemClock, TAKEN_LOOK_MS)
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

function followingOf({ reads, cell, log }: Place, engine: Engine): Following {
  return new Following({
    read: (after, now) => reads.recordsAfter(after, now),
    apply: (records) => engine.follow(records),
    say: (head) => reads.sayHeard(head),
    clock: systemClock,
    unseen: (error) => log.warn({ err: error, cell }, 'the records of SYSTEM were not read'),
  })
}
