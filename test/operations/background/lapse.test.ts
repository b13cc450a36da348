// A transaction that no one signs expires a day after it was prepared: with the parts assembled as in the service, a
// clock that the test sets, and a restart in between.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { assemble, type AssembledService } from '../../../src/service/assemble.ts'
import type { Clock } from '../../../src/time/clock.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { AccountKeys } from '../../../src/keys/account-keys.ts'
import { KeyRing } from '../../../src/keys/keyring.ts'
import { MasterKey } from '../../../src/keys/master-key.ts'
import { Vault } from '../../../src/keys/vault.ts'
import { Lapses } from '../../../src/operations/background/lapse.ts'
import { resultOf } from '../../../src/operations/views/read-models/transaction.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import type { Store } from '../../../snapshots/store.ts'
import { newAccount, newTransaction, TENANT } from '../../engine/engine-fixture.ts'
import { AT, fixed } from '../../machines/records.ts'

const START = Date.parse(AT)
const HOUR = 3_600_000

/** The clock stops until it is advanced; then all due timers run in order. */
class HandClock implements Clock {
  ms = START
  readonly #timers = new Map<object, { at: number; callback: () => void }>()
  now = (): number => this.ms
  elapsed = (): number => this.ms - START
  random = (): number => 0
  soon = (callback: () => void): void => void setImmediate(callback)
  setTimeout = (callback: () => void, delayMs: number): object => {
    const timer = {}
    this.#timers.set(timer, { at: this.ms + delayMs, callback })
    return timer
  }
  clearTimeout = (timer: object): void => void this.#timers.delete(timer)

  /** Jumps to this instant: the timers that are due by then run now, once. */
  jumpTo(ms: number): void {
    this.ms = ms
    for (const [timer, { at, callback }] of [...this.#timers]) {
      if (at <= ms && this.#timers.delete(timer)) callback()
    }
  }
}

let path: string
let clock: HandClock
let store: Store
let engine: Engine
let service: AssembledService

async function start(): Promise<void> {
  store = await openStore({
    path,
    onFatal: (error) => {
      throw error
    },
  })
  engine = await Engine.open({ store })
  const vault = new Vault(new MasterKey(Buffer.alloc(32, 7)))
  const ring = new KeyRing({ vault, read: (tenant, cluster, id) => store.secret(tenant, cluster, id) })
  const fail = (fields: object, message: string): void => {
    throw new Error(`${message} ${JSON.stringify(fields)}`)
  }
  service = await assemble({
    store,
    engine,
    clusters: [],
    keys: new AccountKeys(vault, ring),
    ring,
    clock,
    ids: randomUUID,
    limits: { maxFeeLamports: 1n },
    log: { info: fail, warn: fail, error: fail },
  })
}

async function stop(): Promise<void> {
  await service.stop()
  await store.close()
}

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'holdfast-lapse-'))
  clock = new HandClock()
  await start()
})
afterEach(async () => {
  await stop()
  rmSync(path, { recursive: true, force: true })
})

async function prepare(
  id: string,
  atMs: number,
  signatures: { ours: boolean; complete: boolean } | null = null,
): Promise<void> {
  const { durable } = engine.transact((unit) => {
    const facts = [
      { event: { type: 'chain.created' }, undo: { type: 'chain.uncreated' }, abandon: { type: 'chain.abandoned' } },
    ] as const
    newAccount(unit, `made by ${id}`, '0', 'pending')
    const entry = newTransaction(
      unit,
      id,
      [{ tenant: TENANT, record: `made by ${id}`, movements: [], charge: [], facts }],
      null,
    )
    const completeFixed = {
      ...fixed,
      entries: ofKind(entry.head, 'transaction')!.context.fixed.entries,
      preparedAt: new Date(atMs).toISOString(),
    }
    unit.send<'transaction'>(entry, { type: 'command.rebuild', fixed: completeFixed })
    unit.also(TENANT, {
      type: 'payload',
      tenant: TENANT,
      cluster: entry.head.cluster,
      id,
      payload: { fixed: completeFixed, signedBytes: null },
    })
    if (signatures === null) return
    const { ours, complete } = signatures
    unit.send<'transaction'>(entry, {
      type: 'command.sign',
      signatures: 1,
      complete,
      ourSignature: ours,
      signature: complete ? id : null,
      at: AT,
    })
  })
  await durable
}

async function passTo(ms: number): Promise<void> {
  clock.jumpTo(ms)
  // The next batch is answered after all earlier work.
  await store.commit([])
}

const state = (id: string): RecordState<'transaction'> => ofKind(engine.directory.byId(id)?.committed, 'transaction')!

it('expires 24 hours after it was prepared, not sooner, with an event', async () => {
  await prepare('late', START + HOUR)
  await prepare('early', START)
  await passTo(START + 24 * HOUR - 1)
  expect([state('early').value, state('late').value]).toEqual(['prepared', 'prepared'])
  await passTo(START + 24 * HOUR + 1_000)
  expect([state('early').value, state('late').value]).toEqual(['cancelled', 'prepared'])
  expect(resultOf(state('early'))).toMatchObject({
    success: false,
    status: 'CANCELLED',
    errorMessage: expect.stringContaining('24 hours') as string,
  })
  // The record that waited for it is abandoned with it.
  expect(engine.directory.byId('made by early')?.committed?.value).toBe('closed')
  expect(engine.directory.byId('made by late')?.committed?.value).toBe('pending')
})

it('expires after a restart, also if the time passed while the service was down', async () => {
  await prepare('before', START)
  await prepare('meanwhile', START + 2 * HOUR)
  await stop()
  clock.ms = START + 25 * HOUR
  await start()
  await passTo(clock.ms + 1_000)
  expect([state('before').value, state('meanwhile').value]).toEqual(['cancelled', 'prepared'])
  await passTo(START + 26 * HOUR)
  await stop()
  await start()
  expect([state('before').value, state('meanwhile').value]).toEqual(['cancelled', 'cancelled'])
})

it('applies only to transactions without a signature of the service', async () => {
  await prepare('theirs', START, { ours: false, complete: false })
  await prepare('ours in part', START, { ours: true, complete: false })
  await prepare('signed', START, { ours: true, complete: true })
  await passTo(START + 48 * HOUR)
  expect(['theirs', 'ours in part', 'signed'].map((id) => state(id).value)).toEqual([
    'cancelled',
    'partiallySigned',
    'signed',
  ])
})

it('processes any number of them, in order of their deadlines', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => `t${index}`)
  for (const [index, id] of ids.entries()) await prepare(id, START + ((index * 7_919) % 450) * 1_000)
  const open = (): string[] => ids.filter((id) => state(id).value === 'prepared')
  await passTo(START + 24 * HOUR + 100 * 1_000)
  expect(open()).toHaveLength(450 - 101)
  for (let turn = 1; turn <= 4; turn += 1) await passTo(START + 25 * HOUR + turn * 1_000)
  expect(open()).toEqual([])
})

it('starts with more waiting transactions than a call has arguments', async () => {
  await prepare('waiting', START)
  const count = 200_000
  const many = {
    directory: { entries: () => Array.from({ length: count }, () => engine.directory.byId('waiting')!) },
    onCommitted: () => undefined,
  }
  const lapses = new Lapses(many as unknown as Engine, clock, { error: () => undefined })
  expect(lapses.waiting).toBe(count)
})
