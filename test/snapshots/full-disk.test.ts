// A disk that fills up in the middle of a batch, for real: by a limit on the size of a file, which any user may set,
// and where this process may mount one, by a small file system. After space is freed, the load continues until a kill;
// no acknowledged commit is missing.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Level } from 'level'
import { afterAll, describe, expect, it } from 'vitest'
import { DamagedLog } from '../../snapshots/errors.ts'
import { openLevelDisk } from '../../snapshots/level-disk.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { startWriter } from './child.ts'
import type { Writer } from './child.ts'
import { scratch } from './scratch.ts'
import { wholeCommits, within } from './units.ts'

interface Disk {
  readonly path: string
  readonly limitKib?: number
  free(writer: Writer): void
}

const ways: { readonly name: string; readonly make: () => Disk }[] = [
  {
    name: 'a limit on file sizes',
    make: () => ({
      path: join(scratch(), 'store'),
      limitKib: 300,
      // Only Linux can raise the limit of another process. Elsewhere the disk stays full, and the writer continues all
      // the same.
      free: (writer) => {
        if (process.platform === 'linux')
          execFileSync('prlimit', ['--fsize=unlimited:', '--pid', String(writer.child.pid)])
      },
    }),
  },
]

const mounted: string[] = []
afterAll(() => {
  for (const at of mounted) execFileSync('umount', [at])
})

function tryMount(): string | undefined {
  const at = scratch()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', at], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounted.push(at)
  return at
}

const small = process.platform === 'linux' && process.getuid?.() === 0 ? tryMount() : undefined
if (small !== undefined) {
  ways.push({
    name: 'a full file system',
    make: () => {
      const ballast = join(small, 'ballast')
      writeFileSync(ballast, Buffer.alloc(1_500_000))
      mkdirSync(join(small, 'store'))
      return {
        path: join(small, 'store'),
        free() {
          rmSync(ballast)
          // More than the writer commits until it is killed, which is later on a slow machine.
          execFileSync('mount', ['-o', 'remount,size=256m', small])
        },
      }
    },
  })
}

describe.each(ways)('$name', ({ make }) => {
  it('ends the store at the first failed write, and loses nothing it acknowledged', async () => {
    const disk = make()
    const writer = startWriter('fill', disk.path, 0, disk.limitKib)
    await writer.said('fatal')
    await writer.said('tried')
    disk.free(writer)
    writer.child.stdin.write('freed\n')
    await writer.said('tried')
    await writer.kill()
    expect(writer.late, 'acknowledged after the failure').toEqual(new Set())
    expect(writer.acknowledged.size).toBeGreaterThan(10)

    const store = await openStore({
      path: disk.path,
      onFatal: (error) => {
        throw error
      },
    })
    expect(within(writer.acknowledged, await wholeCommits(store))).toBe(true)
    await store.close()

    const next = startWriter('forever', disk.path, 100_000)
    await next.said(100)
    await next.kill()
    const last = await openStore({
      path: disk.path,
      onFatal: (error) => {
        throw error
      },
    })
    const commits = await wholeCommits(last)
    expect(within(writer.acknowledged, commits) && within(next.acknowledged, commits)).toBe(true)
    await last.close()
  })
})

it.runIf(process.platform === 'linux')(
  'is necessary: LevelDB itself continues to acknowledge, and loses commits',
  async () => {
    const disk = ways[0]!.make()
    const writer = startWriter('raw', disk.path, 0, disk.limitKib)
    await writer.said('tried')
    disk.free(writer)
    writer.child.stdin.write('freed\n')
    await writer.said('tried')
    await writer.kill()
    expect(writer.late.size).toBeGreaterThan(0)
    await expect(openLevelDisk(disk.path)).rejects.toBeInstanceOf(DamagedLog)
    const level = new Level<string, string>(disk.path)
    const values = await level.getMany([...writer.late].map((n) => `e!first!${String(n).padStart(16, '0')}`))
    expect(values).toContain(undefined)
    await level.close()
  },
)
