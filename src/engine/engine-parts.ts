// Builds the parts of an engine, each after those that it needs.
import type { Kind } from '../../machines/kinds.ts'
import { Commits } from './commits.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Engine } from './engine.ts'
import { Journal } from './events/journal.ts'
import { ColdStore } from './eviction/cold-store.ts'
import { Evictions } from './eviction/evictions.ts'
import { Directory } from './index/directory.ts'
import { FollowedRecords } from './index/followed-records.ts'
import { OtherRecords } from './index/other-records.ts'
import { DebitWindows } from './limits/debit-windows.ts'
import { Movements } from './movements/history.ts'
import type { NumberedMessage } from './outbox/message.ts'
import { Outbox } from './outbox/outbox.ts'
import { ReadModel } from './query/read-model.ts'
import type { Change } from './records/change.ts'
import { Supervisors } from './records/supervisor.ts'

export interface EngineParts {
  readonly coldStore: ColdStore
  readonly commits: Commits
  readonly debits: DebitWindows
  readonly directory: Directory
  readonly eviction: Evictions | undefined
  readonly followed: FollowedRecords
  readonly journal: Journal
  readonly movements: Movements
  readonly outbox: Outbox
  readonly readModel: ReadModel
  readonly supervisors: Supervisors
}

/** The functions of the engine that its parts call. */
export interface EngineCalls {
  /** Applies a message from another tenant. Resolves when it is durable. */
  readonly take: (message: NumberedMessage) => Promise<void>
  /** Makes committed changes visible to reads. */
  readonly announce: (changes: readonly Change[]) => void
  readonly onUndelivered: (message: NumberedMessage, error: unknown) => void
}

/** @param engine not fully constructed yet; has its store and cell, and the parts use it later */
export function buildEngineParts(
  engine: Engine,
  clock: NonNullable<EngineOptions['clock']>,
  options: EngineOptions,
  { take, announce, onUndelivered }: EngineCalls,
): EngineParts {
  const { store } = engine
  const { remoteDelivery: elsewhere } = options
  const journal = new Journal(clock)
  const payloads: ConstructorParameters<typeof ColdStore>[1] = {
    payload: (place) => commits.payload(place),
    rows: (places) => commits.payloadRows(places),
  }
  const coldStore = new ColdStore(store, payloads, options.eviction)
  const directory = new Directory(coldStore, store.names === undefined ? undefined : new OtherRecords(store.names))
  const movements = new Movements(engine, clock, (id) => directory.resident(id))
  const debits = new DebitWindows(
    options.eviction === undefined ? undefined : (list, fromMs) => coldStore.listed(list, fromMs),
  )
  const committed = { entries: (kinds: readonly Kind[]) => directory.known(...kinds) }
  const readModel = new ReadModel(committed, clock, options.tuning, coldStore)
  const write: Commits['write'] = (rows) => commits.write(rows)
  const eviction =
    options.eviction === undefined ? undefined : new Evictions({ engine, coldStore, write }, options.eviction)
  const supervisors = new Supervisors({
    capacity: options.awakePerTenant,
    clock,
    onActorFailed: options.onActorFailed,
  })
  const outbox = new Outbox({
    store,
    take,
    rows: engine,
    write: (tenant, ops) => write(new Map([[tenant, ops]])),
    remoteDelivery: elsewhere,
    failed: onUndelivered,
  })
  const commits = new Commits({
    ...{ store, journal, movements, outbox, coldStore, announce },
    release: (entry) => supervisors.of(entry.head.tenant).release(entry),
    flushed: (changes) => eviction?.take(changes),
    onFatal: options.onFatal ?? (() => undefined),
  })
  const followed = new FollowedRecords(directory)
  return {
    coldStore,
    commits,
    debits,
    directory,
    eviction,
    followed,
    journal,
    movements,
    outbox,
    readModel,
    supervisors,
  }
}
