// A backup whose checksums are right and whose content is not, as another program may write it, is refused by each
// command that reads one: with the name of the file and the rule, not with a stack trace or the path of a draft.
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Frame } from '../../snapshots/backup/format.ts'
import { readBackup } from '../../snapshots/backup/read.ts'
import { packRows, unpackRows, type BackupRow } from '../../snapshots/backup/rows.ts'
import { writeBackup } from '../../snapshots/backup/write.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { startCommand } from '../config/command-line.ts'
import { TENANT } from '../engine/engine-fixture.ts'
import { recordsOfEveryState, rowsOf } from '../engine/stored-kinds.ts'

const scratch = mkdtempSync(join(tmpdir(), 'holdfast-foreign-'))
const place = (name: string): string => join(scratch, name)
const NONE = { kind: 'none' } as const

let manifest: Record<string, unknown>
let rows: readonly BackupRow[]

async function* asyncly<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield await Promise.resolve(item)
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const row = (key: string, value: string): BackupRow => [Buffer.from(key), Buffer.from(value)]
const manifestFrame = (value: unknown): Frame => ({ kind: 'manifest', body: Buffer.from(JSON.stringify(value)) })

async function rowFrame(kind: 'store' | 'chain', of: readonly BackupRow[]): Promise<Frame> {
  const [body] = await collect(packRows(asyncly(of)))
  return { kind, body: body! }
}

async function refused(name: string, frames: readonly Frame[], rule: string): Promise<void> {
  const file = place(`${name}.hfb`)
  writeFileSync(file, Buffer.concat(await collect(writeBackup(asyncly(frames), NONE))))
  const commands = [
    ['restore', file, '--data-dir', place(`${name}-new`)],
    ['verify', file],
    ['audit', 'verify', file],
  ]
  for (const words of commands) {
    const { code, stderr } = await startCommand(words, {}).ended
    expect([code, stderr.trim().split('\n').length], `${words.join(' ')}: ${stderr}`).toEqual([65, 1])
    expect(stderr).toContain(`holdfast: ${file}: `)
    expect(stderr).toContain(rule)
    expect(stderr).not.toMatch(/holdfast-(?:verify|audit)-|\.[a-z-]+-new-/)
  }
  expect(readdirSync(scratch).filter((found) => found.includes('-new'))).toEqual([])
}

beforeAll(async () => {
  const onFatal = (error: unknown): void => {
    throw error instanceof Error ? error : new Error(String(error))
  }
  const store = await openStore({ path: join(place('first'), 'store'), onFatal })
  await store.commit([{ tenant: TENANT, epoch: 1, ops: rowsOf(recordsOfEveryState()) }])
  await store.close()
  const backup = await startCommand(['backup', place('good.hfb'), '--data-dir', place('first')], {}).ended
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  const [first, second] = await collect(readBackup(createReadStream(place('good.hfb')), NONE))
  manifest = JSON.parse(first!.body.toString()) as Record<string, unknown>
  rows = unpackRows(second!.body)
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a backup is refused', { concurrent: true }, () => {
  it.each([
    ['null', null],
    ['an empty object', {}],
    ['a time that is none', { madeAt: 'yesterday' }],
    ['control characters', { release: '\u001B[2J' }],
  ])('with %s in place of its manifest', async (name, changes) => {
    const value = changes !== null && Object.keys(changes).length > 0 ? { ...manifest, ...changes } : changes
    const frames = [manifestFrame(value), await rowFrame('store', rows)]
    await refused(name.replaceAll(' ', '-'), frames, 'the backup has no valid manifest')
  })

  it('without the rows of the store', async () => {
    await refused('no-rows', [manifestFrame(manifest)], 'the backup has no rows of the store')
  })

  it('without the rows of the chain that its manifest names', async () => {
    const frames = [manifestFrame({ ...manifest, chainIncluded: true }), await rowFrame('store', rows)]
    await refused('no-chain', frames, 'the backup has no rows of the embedded chain')
  })

  it('of a layout that this release does not know', async () => {
    const newer = rows.map((each) => (each[0].toString() === 's!schema' ? row('s!schema', '99') : each))
    await refused('newer', [manifestFrame(manifest), await rowFrame('store', newer)], 'has schema version 99')
  })

  it.each(['s!archive', 'w!0000000000000001'])('with a row at %s that cannot be read', async (key) => {
    const frames = [manifestFrame(manifest), await rowFrame('store', [...rows, row(key, 'x')])]
    await refused(key.slice(0, 1), frames, `the row at ${key} cannot be read`)
  })

  it('with a short row of the archive of the chain', async () => {
    const frames = [
      manifestFrame({ ...manifest, chainIncluded: true }),
      await rowFrame('chain', [row('w', 'x')]),
      await rowFrame('store', rows),
    ]
    await refused('short', frames, 'the row at w cannot be read')
  })
})
