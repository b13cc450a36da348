// The archive of a store without a service: for any commits, written in any portions and with any interruptions, a
// replay on a backup gives the rows of every requested moment; and an archive that lost a part is not continued.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, open as openFile, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chainBatchOf } from '../../../snapshots/archive/chain-batch.ts'
import { archiveFiles, batchOfFrame, readArchiveFile } from '../../../snapshots/archive/file.ts'
import type { Redo } from '../../../snapshots/archive/redo.ts'
import { openDatabase } from '../../../snapshots/backup/database.ts'
import { writeBackup } from '../../../snapshots/backup/write.ts'
import { isArchiving } from '../../../snapshots/keys.ts'
import { openStore } from '../../../snapshots/level-store.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { replay, type ReplayEnd } from '../../../src/cli/replay.ts'
import { unpack, type UnpackedBackup } from '../../../src/cli/unpack.ts'
import { openArchive, type Archiver } from '../../../src/engine/backup/archiver.ts'
import { copyFrames } from '../../../src/engine/backup/copy.ts'
import { randomOf } from '../../crash/random.ts'
import { scratch } from '../scratch.ts'

const NONE = { kind: 'none' } as const
const T = 'T'
let home: string
let store: Awaited<ReturnType<typeof openStore>>
let archiver: Archiver
let lines = 0
let nowMs = 1_700_000_000_000
const notices: string[] = []
const log = { info: () => undefined, warn: (_: object, message: string) => void notices.push(message) }

const open = (redo: Redo = store.redo): Promise<Archiver> =>
  openArchive({
    redo,
    dir: join(home, 'archive'),
    sealing: NONE,
    release: '1',
    secrets: join(home, 'secrets'),
    players: join(home, 'players'),
    now: () => (nowMs += 1),
    newLine: () => String((lines += 1)).padStart(16, '0'),
    log,
  })

const commit = (ops: readonly StoreOp[]): Promise<void> => store.commit([{ tenant: T, epoch: 1, ops }])
const meta = (name: string, value: unknown): StoreOp => ({ type: 'meta', name, value })
const file = (id: string, row: unknown): StoreOp => ({ type: 'file', tenant: T, cluster: 'C', id, row })

async function rows(): Promise<Map<string, string>> {
  const view = store.view()
  const rowTexts = new Map<string, string>()
  for await (const page of view.everything())
    for (const [key, text] of page) if (!isArchiving(key)) rowTexts.set(key, text)
  await view.close()
  return rowTexts
}

async function backedUp(): Promise<string> {
  const path = join(home, `${lines}.hfb`)
  const fixture = {
    store,
    release: '1',
    clusters: [],
    chainIncluded: false,
    secrets: join(home, 'secrets'),
    players: join(home, 'players'),
    now: () => nowMs,
  }
  await writeFile(path, writeBackup(copyFrames(fixture), NONE))
  return path
}

async function replayResult(backup: string, until: ReplayEnd = null): Promise<Map<string, string>> {
  const draft = join(home, 'draft')
  rmSync(draft, { recursive: true, force: true })
  await mkdir(draft)
  const unpacked: UnpackedBackup = await unpack(backup, NONE, draft)
  await replay(draft, unpacked, { dir: join(home, 'archive'), opening: NONE, until })
  const database = await openDatabase(join(draft, 'store'), { make: false })
  const rowTexts = new Map<string, string>()
  for await (const [key, value] of database.rows()) rowTexts.set(key.toString(), value.toString())
  await database.close()
  return rowTexts
}

beforeEach(async () => {
  home = scratch()
  store = await openStore({ path: join(home, 'store'), onFatal: () => undefined })
  archiver = await open()
  notices.length = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  await store.close()
})

it.each([1, 2, 3])('restores the rows of every moment, seed %i', async (seed) => {
  const random = randomOf(seed)
  await commit([meta('first', 0), file('a', 'x'), file('b', 'y')])
  const backup = await backedUp()
  const moments: { readonly atMs: number; readonly sequence: number; readonly rows: Map<string, string> }[] = []
  for (let n = 0; n < 60; n += 1) {
    await commit([
      meta(`m${random(5)}`, n),
      file(random(2) === 0 ? 'a' : 'b', random(3) === 0 ? null : `line\nfeed and blank ${n}`),
      { type: 'event', tenant: T, sequence: n + 1, row: n },
    ])
    moments.push({ atMs: readTime(), sequence: n + 1, rows: await rows() })
    if (random(3) === 0) await archiver.turn()
    if (random(12) === 0) {
      if (random(2) === 0) {
        await archiver.turn()
        tear()
      }
      archiver = await open()
    }
    while (readTime() <= moments.at(-1)!.atMs) await new Promise(setImmediate)
  }
  await commit([meta('last', 1)])
  await archiver.stop()
  expect(archiver.lag).toBe(0)
  expect(notices).toEqual([])
  for (const { atMs, sequence, rows: expected } of moments.filter((_, index) => index % 7 === seed)) {
    expect(await replayResult(backup, { atMs })).toEqual(expected)
    expect(await replayResult(backup, { tenant: T, event: sequence })).toEqual(expected)
  }
  expect(await replayResult(backup)).toEqual(await rows())
})

/** Between two commits. */
const readTime = (): number => Date.now()

/** The remainder of a process that is killed while it writes: a part of a frame. */
function tear(): void {
  const last = readdirSync(join(home, 'archive')).sort().at(-1)
  if (last === undefined) return
  const path = join(home, 'archive', last)
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from([0, 0, 1, 0, 0x42, 7])]))
}

it('contains the key files, more than are appended at once', async () => {
  const count = 600
  const names = Array.from({ length: count }, (_, n) => `secrets/C/${n}.json`)
  await mkdir(join(home, 'secrets', 'C'), { recursive: true })
  const backup = await backedUp()
  for (const name of names) writeFileSync(join(home, name), name)
  await commit([{ type: 'secret', tenant: T, cluster: 'C', id: 'k1', row: { kept: 'folder' } }])
  await archiver.turn()
  await replayResult(backup)
  expect(readdirSync(join(home, 'draft', 'secrets', 'C'))).toHaveLength(count)
})

it('keeps in the store only what the archive lacks', async () => {
  const countKept = async (): Promise<number> => (await store.redo.after(0, 1_000)).length
  for (let n = 0; n < 20; n += 1) await commit([meta('n', n)])
  expect(archiver.lag).toBe(await countKept())
  await archiver.turn()
  await commit([meta('n', 20)])
  await commit([meta('n', 21)])
  expect(await countKept()).toBe(2)
  await store.redo.end()
  expect(await countKept()).toBe(0)
  await commit([meta('n', 22)])
  expect(await countKept()).toBe(0)
})

it('waits for a disk that cannot be written, and reports it once', async () => {
  const dir = join(home, 'archive')
  await commit([meta('n', 1)])
  rmSync(dir, { recursive: true, force: true })
  writeFileSync(dir, 'a file is in the way')
  await archiver.turn()
  await archiver.turn()
  expect(archiver.trouble).not.toBeNull()
  expect(notices).toEqual(['archive write failed: the store keeps the missing batches'])
  rmSync(dir)
  await archiver.turn()
  expect(archiver).toMatchObject({ trouble: null, lag: 0 })
})

it('releases a batch of the store only once it is on its own disk, and loses none to a failed write', async () => {
  await commit([meta('n', 0)])
  const backup = await backedUp()
  for (const n of [1, 2, 3]) await commit([meta(`m${n}`, n)])
  // Every file of the archive has this prototype.
  const probe = await openFile(join(home, 'probe'), 'w')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  let unsynced = 0
  let failures = 0
  const append = Reflect.get(prototype, 'appendFile')
  const sync = Reflect.get(prototype, 'datasync')
  vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, ...args) {
    unsynced += 1
    await Reflect.apply(append, this, args)
  })
  vi.spyOn(prototype, 'datasync').mockImplementation(async function (this: FileHandle) {
    // The manifest of the file, and not the batches.
    if (failures === 1) throw new Error('input/output error')
    failures += 1
    await Reflect.apply(sync, this, [])
    unsynced = 0
  })
  const notices: number[] = []
  vi.spyOn(store.redo, 'archived').mockImplementation((through) => {
    expect(unsynced).toBe(0)
    notices.push(through)
  })
  await archiver.turn()
  expect(notices).toEqual([])
  expect([archiver.lag, archiver.trouble]).toEqual([4, 'input/output error'])
  failures = 2
  unsynced = 0
  await archiver.turn()
  expect([notices, archiver.lag, archiver.trouble]).toEqual([[4], 0, null])
  vi.restoreAllMocks()
  await archiver.stop()
  expect(await replayResult(backup)).toEqual(await rows())
})

it('contains chain facts before the effects in the store, at any end', async () => {
  let last = 0
  archiver.follow(async function* (after) {
    for (let sequence = after + 1; sequence <= last; sequence += 1) {
      const key = Buffer.alloc(7, 'w')
      key.writeUIntBE(sequence, 1, 6)
      yield await Promise.resolve([key, Buffer.alloc(8)] as const)
    }
  })
  for (let n = 1; n <= 6; n += 1) {
    last = n
    await commit([meta('n', n)])
    if (n % 2 === 0) await archiver.turn()
  }
  await archiver.stop()
  let chain = 0
  let batches = 0
  for (const place of archiveFiles(join(home, 'archive'))) {
    for await (const frame of (await readArchiveFile(place, NONE)).frames) {
      if (frame.kind === 'chainBatch') chain = chainBatchOf(frame).sequence
      if (frame.kind === 'batch') expect(chain).toBeGreaterThanOrEqual(batchOfFrame(frame).sequence)
      if (frame.kind === 'batch') batches += 1
    }
  }
  expect([chain, batches]).toEqual([6, 6])
})

/** An archive of three files with two batches each, the backup before them, and the paths of the files. */
async function threeFiles(): Promise<{ backup: string; paths: readonly string[] }> {
  const backup = await backedUp()
  for (const n of [1, 2, 3]) {
    if (n > 1) archiver = await open()
    for (const name of ['first', 'second']) await commit([meta(name, n)])
    await archiver.stop()
  }
  return { backup, paths: archiveFiles(join(home, 'archive')).map(({ path }) => path) }
}

const ofOtherNumber = (path: string, number: number): string => path.replace(/\d{8}(?=\.hfa$)/, `0000000${number}`)

it('is not replayed without its end if names of its files were exchanged', async () => {
  const { backup, paths } = await threeFiles()
  const [first, second, third] = paths as [string, string, string]
  const whole = await rows()
  expect(await replayResult(backup)).toEqual(whole)
  const exchange = (one: string, other: string): void => {
    renameSync(one, `${one}.kept`)
    renameSync(other, one)
    renameSync(`${one}.kept`, other)
  }
  for (const [one, other] of [
    [first, third],
    [first, second],
    [second, third],
  ] as const) {
    exchange(one, other)
    await expect(replayResult(backup)).rejects.toThrow(/the file was renamed: it is file \d of archive/)
    exchange(one, other)
  }
  copyFileSync(first, ofOtherNumber(first, 4))
  await expect(replayResult(backup)).rejects.toThrow(`${ofOtherNumber(first, 4)}: the file was renamed`)
  rmSync(ofOtherNumber(first, 4))
  expect(await replayResult(backup)).toEqual(whole)
})

it('is not replayed with a file of another archive under its name', async () => {
  const { backup, paths } = await threeFiles()
  const last = paths.at(-1)!
  const other = last.replace(archiver.line, 'f'.repeat(16))
  const text = readFileSync(last)
  await store.redo.begin('f'.repeat(16))
  archiver = await open()
  await commit([meta('first', 'of another')])
  await archiver.stop()
  renameSync(ofOtherNumber(other, 1), last)
  await expect(replayResult(backup)).rejects.toThrow(`${last}: the file was renamed: it is file 1 of archive ffff`)
  // A file that cannot be read is named as well, also if it is the first one.
  const foreign = 'this file is of another program'.repeat(9)
  writeFileSync(last, foreign)
  await expect(replayResult(backup)).rejects.toThrow(`${last}: this is not an archive`)
  rmSync(last)
  mkdirSync(last)
  await expect(replayResult(backup)).rejects.toThrow(`${last} is a folder`)
  rmSync(last, { recursive: true })
  writeFileSync(last, text)
  writeFileSync(paths[0]!, foreign)
  await expect(replayResult(backup)).rejects.toThrow(`${paths[0]!}: this is not an archive`)
})

it('restarts if the store no longer has the missing batches, or another process opened the store', async () => {
  const line = archiver.line
  for (let n = 0; n < 4; n += 1) {
    await commit([meta('n', n)])
    await archiver.turn()
  }
  // The writes of a process that opens the store without an archive are reported as missing.
  await store.close()
  store = await openStore({ path: join(home, 'store'), onFatal: () => undefined })
  await commit([meta('by another', true)])
  archiver = await open()
  expect(archiver.line).toBe(line)
  await archiver.turn()
  expect(archiver.lag).toBe(0)
  await commit([meta('n', 5)])
  for (const name of readdirSync(join(home, 'archive'))) rmSync(join(home, 'archive', name))
  archiver = await open()
  expect(archiver.line).not.toBe(line)
  expect(notices.at(-1)).toContain('make a backup')
})

it('is in trouble as soon as its folder is lost, also while there is nothing to archive', async () => {
  await commit([meta('n', 1)])
  await archiver.turn()
  expect([archiver.trouble, archiver.lag]).toEqual([null, 0])
  rmSync(join(home, 'archive'), { recursive: true })
  await writeFile(join(home, 'archive'), 'a file in the place of the folder')
  await archiver.turn()
  expect(archiver.trouble).toContain('archive')
  rmSync(join(home, 'archive'))
  await archiver.turn()
  expect(archiver.trouble).toBeNull()
})

it('is in trouble when the file that it writes was removed, and continues in another', async () => {
  await commit([meta('n', 1)])
  await archiver.turn()
  for (const { path } of archiveFiles(join(home, 'archive'))) rmSync(path)
  await archiver.turn()
  expect(archiver.trouble).toContain('ENOENT')
  expect(notices).toEqual([expect.stringContaining('archive write failed')])
  await commit([meta('n', 2)])
  await archiver.turn()
  expect([archiver.trouble, archiver.lag]).toEqual([null, 0])
  expect(archiveFiles(join(home, 'archive'))).toHaveLength(1)
})
