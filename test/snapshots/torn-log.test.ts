// The log truncated, or left as zeros, at every byte of its last batch: the database opens, the last batch exists whole
// or not at all, and everything before it exists. The last batch crosses the end of a block of the log, where LevelDB
// splits it.

import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../../snapshots/level-store.ts'
import { scratch } from './scratch.ts'
import { CLUSTER, numbered, part, TENANT, wholeCommits } from './units.ts'

const BLOCK_BYTES = 32_768
const onFatal = (error: Error): never => {
  throw error
}

it('opens any remainder of the last batch, and returns all of it or nothing', async () => {
  const path = scratch()
  const store = await openStore({ path, onFatal })
  const log = join(
    path,
    readdirSync(path).find((name) => name.endsWith('.log'))!,
  )
  const length = (): number => statSync(log).size
  await store.commit(numbered(0, 50))
  await store.commit(numbered(1, 50))
  // Fill the block up to shortly before its end; what remains is taken by this row's key and headers, and by half of
  // the last batch.
  const fill = '.'.repeat(BLOCK_BYTES - length() - 350)
  await store.commit([part([{ type: 'payload', tenant: TENANT, cluster: CLUSTER, id: 'filler', payload: { fill } }])])
  const from = length()
  await store.commit(numbered(2, 50))
  const to = length()
  expect(from).toBeLessThan(BLOCK_BYTES)
  expect(to).toBeGreaterThan(BLOCK_BYTES)
  await store.close()

  const copy = join(scratch(), 'copy')
  const open = async (damage: (log: string) => void): Promise<Set<number>> => {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    for (const name of readdirSync(path)) copyFileSync(join(path, name), join(copy, name))
    damage(join(copy, log.slice(path.length + 1)))
    const damaged = await openStore({ path: copy, onFatal })
    const commits = await wholeCommits(damaged)
    await damaged.close()
    return commits
  }
  for (let at = from; at <= to; at += 1) {
    const commits = await open((file) => truncateSync(file, at))
    expect(commits, `cut at ${at}`).toEqual(new Set(at === to ? [0, 1, 2] : [0, 1]))
  }
  for (let at = from; at < to; at += 16) {
    const blank = await open((file) => {
      const handle = openSync(file, 'r+')
      writeSync(handle, Buffer.alloc(to - at), 0, to - at, at)
      closeSync(handle)
    })
    expect(blank, `zeros from ${at}`).toEqual(new Set([0, 1]))
  }
})

it('continues from a truncated log without losing later commits', async () => {
  const path = scratch()
  const store = await openStore({ path, onFatal })
  for (const n of [0, 1]) await store.commit(numbered(n))
  await store.close()
  const copy = scratch()
  cpSync(path, copy, { recursive: true })
  const log = join(
    copy,
    readdirSync(copy).find((name) => name.endsWith('.log'))!,
  )
  truncateSync(log, statSync(log).size - 100)
  for (const [n, whole] of [
    [2, [0]],
    [3, [0, 2]],
    [4, [0, 2, 3]],
  ] as const) {
    const reopened = await openStore({ path: copy, onFatal })
    expect(await wholeCommits(reopened)).toEqual(new Set(whole))
    await reopened.commit(numbered(n))
    await reopened.close()
  }
})
