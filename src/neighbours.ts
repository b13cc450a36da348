// What the engine of one cell needs of the other cells of its database: who owns a tenant, messages to it and from it,
// the records of SYSTEM, and when the others have heard of a switch.
import type { Engine } from './engine/engine.ts'
import { Following, untilHeard } from './engine/following.ts'
import { UnheardSwitches } from './engine/unheard-switches.ts'
import { AcrossCells } from './engine/outbox/across-cells.ts'
import type { Elsewhere } from './engine/outbox/outbox.ts'
import { SYSTEM_TENANT } from './contract/tenancy.ts'
import type { Log } from './telemetry/log.ts'
import { sleep, systemClock } from './time/clock.ts'
import type { Database } from '../snapshots/postgres/database.ts'
import type { OtherCells } from './operations/context/platform.ts'
import { lastChangeOf, recordsAfter, sayHeard, unheardBy } from '../snapshots/postgres/following.ts'
import { holdersOf, tenantOfRecord, tenantsElsewhere, wakeCellsOf } from '../snapshots/postgres/homes.ts'
import { sentTo, takenBy, undelivered } from '../snapshots/postgres/messages.ts'
import { MAIN_CELL } from '../snapshots/postgres/schema.ts'

export interface Neighbours extends OtherCells {
  /** Absent: every tenant is of this cell. */
  readonly elsewhere?: Elsewhere
  /** Reads what decisions depend on. Must resolve before the cell decides anything. */
  begin(engine: Engine): Promise<void>
  /** Takes messages from now on. */
  start(engine: Engine): void
  /** Resolves when nothing of other cells is being applied. */
  stop(): Promise<void>
}

interface Place {
  readonly database: Database
  readonly cell: string
  /** Of the claim. */
  readonly epoch: number
  /** The tenants of the cell as of the claim: only a move changes them, while the cell is closed. */
  readonly tenants: readonly string[]
  readonly log: Log
}

/** SYSTEM is in the first cell, and so is every tenant that has not been moved. */
export async function neighboursOf(place: Place): Promise<Neighbours> {
  const { database, cell } = place
  let switches: UnheardSwitches | null = null
  const heard = async (): Promise<void> => {
    await switches?.settle(
      (keys) => lastChangeOf(database, keys),
      (commit) => untilHeard(() => unheardBy(database, cell, commit), systemClock),
    )
  }
  if (cell === MAIN_CELL) {
    const others = await tenantsElsewhere(database, cell)
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
  // What SYSTEM switches, it switches in its own cell.
  return neighbours(place, {
    across: acrossCells(place, (tenant) => own.has(tenant)),
    follow: (engine) => followingOf(place, engine),
    heard: () => Promise.resolve(),
  })
}

interface Parts {
  readonly across: AcrossCells | undefined
  readonly follow: ((engine: Engine) => Following) | null
  readonly heard: () => Promise<void>
}

function neighbours({ database }: Place, { across, follow, heard }: Parts): Neighbours {
  let following: Following | null = null
  return {
    ...(across === undefined ? {} : { elsewhere: across }),
    async begin(engine) {
      following = follow?.(engine) ?? null
      await following?.begin()
    },
    start: (engine) => across?.start(engine.outbox),
    untilHeard: heard,
    untilTaken: (sender, tenants) => untilTaken(database, sender, tenants),
    holdersOf: (name) => holdersOf(database, name),
    tenantOf: (record) => tenantOfRecord(database, record),
    async stop() {
      await following?.stop()
      await across?.stop()
    },
  }
}

const TAKEN_LOOK_MS = 20

/** Rows of the outbox that are gone were taken. */
async function untilTaken(database: Database, sender: string, tenants: readonly string[]): Promise<void> {
  const sent = await sentTo(database, sender, tenants)
  for (;;) {
    const taken = await takenBy(database, sent)
    if (sent.every(({ sequence }, at) => sequence <= (taken[at] ?? 0))) return
    await sleep(systemClock, TAKEN_LOOK_MS)
  }
}

function acrossCells({ database, cell, log }: Place, owns: (tenant: string) => boolean): AcrossCells {
  return new AcrossCells({
    messages: { undelivered: () => undelivered(database), takenBy: (pairs) => takenBy(database, pairs) },
    owns,
    wake: (tenants) => wakeCellsOf(database, tenants),
    clock: systemClock,
    failed: ({ sender, to, sequence }, error) =>
      log.error({ err: error, cell, sender, to, sequence }, 'a message of another cell could not be applied: it waits'),
    unseen: (error) => log.warn({ err: error, cell }, 'the messages of other cells were not read'),
  })
}

function followingOf({ database, cell, epoch, log }: Place, engine: Engine): Following {
  return new Following({
    read: (after) => recordsAfter(database, { tenant: SYSTEM_TENANT, cell: MAIN_CELL }, after),
    apply: (records) => engine.follow(records),
    say: (head) => sayHeard(database, { cell, epoch }, head),
    clock: systemClock,
    unseen: (error) => log.warn({ err: error, cell }, 'the records of SYSTEM were not read'),
  })
}
