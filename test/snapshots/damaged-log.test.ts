// One flipped bit in the log of LevelDB: a database that would miss an acknowledged commit does not open.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DamagedLog } from '../../snapshots/errors.ts'
import { damageOf } from '../../snapshots/level-log.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { scratch } from './scratch.ts'
import { numbered, wholeCommits } from './units.ts'

const COMMITS = 40
const BLOCK_BYTES = 32_768
const onFatal = (error: Error): never => {
  throw error
}
/** Zeros at the end of a block. */
const isTrailer = (log: Buffer, at: number): boolean => {
  const end = Math.min(Math.ceil((at + 1) / BLOCK_BYTES) * BLOCK_BYTES, log.length)
  return end - at < 7 && log.subarray(at, end).every((byte) => byte === 0)
}
const logIn = (path: string): string => readdirSync(path).find((name) => name.endsWith('.log'))!

/** A closed database whose commits are all in its log, over several blocks; the second value: where each begins. */
async function writeLog(): Promise<[path: string, starts: readonly number[]]> {
  const path = scratch()
  const store = await openStore({ path, onFatal })
  const starts: number[] = []
  for (let n = 0; n < COMMITS; n += 1) {
    starts.push(readFileSync(join(path, logIn(path))).length)
    // The last one spans blocks.
    await store.commit(numbered(n, n === COMMITS - 1 ? 80_000 : 4_000))
  }
  await store.close()
  return [path, starts]
}

it('is refused if a commit follows, and never hides a commit before the last', async () => {
  const [path, starts] = await writeLog()
  const log = readFileSync(join(path, logIn(path)))
  expect(log.length).toBeGreaterThan(3 * BLOCK_BYTES)
  expect(damageOf(log)).toBeNull()
  const copy = join(scratch(), 'copy')
  const openCopy = async (bytes: Buffer): Promise<Set<number> | 'refused'> => {
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    for (const name of readdirSync(path)) copyFileSync(join(path, name), join(copy, name))
    writeFileSync(join(copy, logIn(path)), bytes)
    try {
      const store = await openStore({ path: copy, onFatal })
      const commits = await wholeCommits(store)
      await store.close()
      return commits
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedLog)
      return 'refused'
    }
  }
  const all = new Set(Array.from({ length: COMMITS }, (_, n) => n))
  const last = starts.at(-1)!
  await fc.assert(
    fc.asyncProperty(fc.nat(log.length - 1), fc.nat(7), async (at, bit) => {
      const bytes = Buffer.from(log)
      bytes[at]! ^= 1 << bit
      const commits = await openCopy(bytes)
      // Bytes at the end of a block without space for a header have no meaning.
      if (at < last && commits !== 'refused') expect([at, commits]).toEqual([at, isTrailer(log, at) ? all : 'refused'])
      // An unreadable end is the result of a crash, and may be the last commit.
      if (at >= last && commits !== 'refused')
        for (const n of all) if (n < COMMITS - 1) expect(commits.has(n)).toBe(true)
    }),
    { numRuns: 60 },
  )
  expect(await openCopy(log)).toEqual(all)
})

it('is left by a crash only in the last batch: truncated, or with any part unwritten', async () => {
  const [path, starts] = await writeLog()
  const log = readFileSync(join(path, logIn(path)))
  for (let at = starts.at(-1)!; at <= log.length; at += 331) {
    expect(damageOf(log.subarray(0, at)), `cut at ${at}`).toBeNull()
    expect(damageOf(Buffer.concat([log.subarray(0, at), Buffer.alloc(log.length - at)])), `zeros from ${at}`).toBeNull()
  }
  // The last batch spans blocks, and its pages reach the disk in any order.
  for (let at = starts.at(-1)!; at < log.length; at += 512) {
    const holed = Buffer.from(log)
    holed.fill(0, at, Math.min(at + 512, log.length))
    expect(damageOf(holed), `a hole at ${at}`).toBeNull()
  }
})
