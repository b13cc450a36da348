// A move of a tenant to the directory of another cell, killed at every step and at any instant: afterwards each row is
// in one directory, and the tenant in one cell.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { openCellDirectories, type CellDirectory } from '../../../snapshots/cells/directories.ts'
import { finishMove } from '../../../snapshots/cells/moving.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { scratch } from '../scratch.ts'
import { envelope } from '../units.ts'
import { merge, TENANT } from './moved.ts'
import { cellPaths, cellProcess, withCells } from './stores.ts'

const MOVER = join(import.meta.dirname, 'mover.ts')
/** More than one batch. */
const EVENTS = 2_500
const CLUSTER = 'CHAIN_TEST'

/** Rows of every kind. */
function rowsOf(tenant: string, events: number): StoreOp[] {
  const own = { tenant, cluster: CLUSTER }
  const [openId, endedId, fileName] = ['open', 'ended', 'file'].map((name) => `${name} of ${tenant}`) as [
    string,
    string,
    string,
  ]
  return [
    { type: 'record', envelope: envelope(openId, { tenant }) },
    { type: 'old', envelope: envelope(endedId, { tenant }) },
    { type: 'alias', ...own, name: `signature of ${tenant}`, id: endedId },
    { type: 'listed', tenant, list: `ended of ${CLUSTER}`, atMs: 5, id: endedId, row: { tenant } },
    { type: 'payload', ...own, id: endedId, payload: [1] },
    { type: 'payload', ...own, id: openId, payload: [2] },
    { type: 'idempotency', ...own, scope: 'abc', row: {} },
    { type: 'message', ...own, hash: `first of ${tenant}`, transactionId: endedId },
    { type: 'message', ...own, hash: `second of ${tenant}`, transactionId: openId },
    { type: 'movement', tenant, record: openId, asset: 'l', stamp: 4, row: {} },
    { type: 'reversal', tenant, record: openId, asset: 'l', stamp: 5, row: {} },
    { type: 'secret', ...own, id: openId, row: { sealed: tenant } },
    { type: 'file', ...own, id: fileName, row: {} },
    { type: 'audit', tenant, sequence: 1, row: {} },
    { type: 'outbox', tenant, sequence: 7, row: { to: 'BETA' } },
    { type: 'inbox', tenant, sender: 'BETA', sequence: 3 },
    { type: 'name', ...own, id: openId, name: `address of ${tenant}`, held: true },
    { type: 'meta', name: `outbox!${tenant}`, value: 7 },
    { type: 'meta', name: `audit.checkpoint!${tenant}`, value: {} },
    { type: 'meta', name: `audit.checkpoint!${tenant}!1000`, value: {} },
    ...Array.from({ length: events }, (_, at): StoreOp => ({ type: 'event', tenant, sequence: at + 1, row: { at } })),
  ]
}

/** Tenants whose names begin with, or contain, that of the moved one. */
const OTHERS = ['ACME2', 'AC', 'ACME!5', 'BETA']
let original: string

beforeAll(async () => {
  const paths = cellPaths()
  original = dirname(paths.store)
  await withCells(paths, ['red', 'blue'])
  const process = await cellProcess(paths)
  const main = await process.open('main')
  await main.commit([
    { tenant: TENANT, epoch: main.epoch, ops: rowsOf(TENANT, EVENTS) },
    ...OTHERS.map((tenant) => ({ tenant, epoch: main.epoch, ops: rowsOf(tenant, 2) })),
    { tenant: TENANT, epoch: main.epoch, ops: [{ type: 'meta', name: 'last', value: 9 }] as const },
  ])
  const red = await process.open('red')
  const lateRows = [...rowsOf('LATE', 2), { type: 'meta', name: 'last of red', value: 5 } as const]
  await red.commit([{ tenant: 'LATE', epoch: red.epoch, ops: lateRows }])
  await process.close()
})

interface Dump {
  readonly rows: ReadonlyMap<string, string>
  /** Cells by key. */
  readonly places: ReadonlyMap<string, readonly string[]>
}

/** All rows except those about the directories. */
async function dumpOf(all: readonly CellDirectory[]): Promise<Dump> {
  const rows = new Map<string, string>()
  const places = new Map<string, string[]>()
  for (const { cell, disk } of all)
    for await (const page of disk.pages({}))
      for (const [key, value] of page) {
        if (key.startsWith('s!')) continue
        rows.set(key, value)
        places.set(key, [...(places.get(key) ?? []), cell])
      }
  return { rows, places }
}

const FACTS = ['m!last', 'm!last%20of%20red']

async function dump(folder: string): Promise<Dump> {
  const directories = await openCellDirectories({ store: join(folder, 'store'), cells: join(folder, 'cells') }, 'alone')
  try {
    await finishMove(directories, { merged: merge })
    expect(await finishMove(directories, { merged: merge })).toBe(null)
    return await dumpOf(directories.all)
  } finally {
    await directories.close()
  }
}

/** The cell of the tenant. No row is lost, duplicated, changed, or in a wrong directory. */
function expectWhole(before: Dump, after: Dump): string {
  const isMoved = (key: string): boolean => key === `f!${TENANT}`
  const cell = [...after.places].find(([key]) => isMoved(key))![1][0]!
  const facts = new Map([...before.rows, ...(cell === 'red' ? [['m!last%20of%20red', '9'] as const] : [])])
  expect(after.rows).toEqual(facts)
  expect([...after.places].filter(([, cells]) => cells.length !== 1)).toEqual([])
  const changedPlaces = [...after.places].filter(([key, cells]) => before.places.get(key)![0] !== cells[0])
  const movedKeys = changedPlaces.map(([key]) => key)
  expect(movedKeys.length).toBe(cell === 'red' ? EVENTS + 21 : 0)
  expect(movedKeys.filter((key) => FACTS.includes(key))).toEqual([])
  return cell
}

interface Run {
  readonly steps: readonly string[]
  readonly how: string | number
}

async function mover(folder: string, what: 'move' | 'finish', lives: number, killAfterMs?: number): Promise<Run> {
  const child = spawn(process.execPath, ['--import', 'tsx', MOVER, folder, what, String(lives)])
  let text = ''
  let errors = ''
  let startedSteps = 0
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    startedSteps += 1
    if (killAfterMs !== undefined && startedSteps === 1) void sleep(killAfterMs).then(() => child.kill('SIGKILL'))
  })
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(errors).toBe('')
  return { steps: text.trim().split('\n'), how: signal ?? code! }
}

function copyFolder(): string {
  const folder = scratch()
  cpSync(original, folder, { recursive: true })
  return folder
}

describe('a move to another directory', () => {
  it('moves every row of the tenant, and none of another', async () => {
    const folder = copyFolder()
    const before = await dump(folder)
    const { steps, how } = await mover(folder, 'move', 0)
    expect([how, new Set(steps)]).toEqual([
      0,
      new Set(['noted', 'copying', 'copied', 'switched', 'deleting', 'deleted']),
    ])
    expect(expectWhole(before, await dump(folder))).toBe('red')
  })

  it('is complete after SIGKILL at each step, and at each step of its recovery', async () => {
    const { steps } = await mover(copyFolder(), 'move', 0)
    const before = await dump(copyFolder())
    for (const [at, step] of steps.entries()) {
      const folder = copyFolder()
      const killed = await mover(folder, 'move', at + 1)
      expect([killed.how, killed.steps.at(-1)]).toEqual(['SIGKILL', step])
      const isDone = at >= steps.indexOf('switched')
      const copyAgain = copyFolder()
      cpSync(folder, copyAgain, { recursive: true })
      expect(expectWhole(before, await dump(folder)), step).toBe(isDone ? 'red' : 'main')
      if (step !== 'copied' && step !== 'switched') continue
      // Killed once more while the rest is moved.
      const ending = await mover(copyAgain, 'finish', 2)
      expect([ending.how, ending.steps]).toEqual(['SIGKILL', ['deleting', 'deleting']])
      expect(expectWhole(before, await dump(copyAgain)), step).toBe(isDone ? 'red' : 'main')
    }
  })

  it('is complete after SIGKILL at any instant', async () => {
    const before = await dump(copyFolder())
    for (let delayMs = 0; delayMs < 40; delayMs += 4) {
      const folder = copyFolder()
      await mover(folder, 'move', 0, delayMs)
      expectWhole(before, await dump(folder))
    }
  })
})
