// A backup file returns its content, or is refused: for any changed byte, any truncation, any appended data, and with
// every other passphrase or key. For small files with every kind of frame.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BackupRefused, type Frame, type Sealing } from '../../../snapshots/backup/format.ts'
import { fileFrames, fileOf, manifestFrame, rowFrames } from '../../../snapshots/backup/frames.ts'
import { readBackup } from '../../../snapshots/backup/read.ts'
import { unpackRows, type BackupRow } from '../../../snapshots/backup/rows.ts'
import { writeBackup } from '../../../snapshots/backup/write.ts'
import { scratch } from '../scratch.ts'

const NONE: Sealing = { kind: 'none' }
const KEY: Sealing = { kind: 'key', key: randomBytes(32) }
const ROWS: readonly BackupRow[] = Array.from({ length: 5 }, (_, n) => [
  Buffer.from(`r!T!C!${n}`),
  Buffer.from(`[${'x'.repeat(n * 7)}]`),
])
const MANIFEST = {
  release: '1.2.3',
  madeAt: '2026-01-01T00:00:00.000Z',
  genesisHashes: { CHAIN_DEVNET: 'hash' },
  chainIncluded: true,
  masterKeyId: null,
}

async function* asyncly<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield await Promise.resolve(item)
}

async function* frames(): AsyncGenerator<Frame, void, undefined> {
  yield manifestFrame(MANIFEST)
  yield* rowFrames('store', asyncly(ROWS))
  yield* rowFrames('chain', asyncly(ROWS.slice(2)))
  yield { kind: 'file', body: Buffer.from('secrets/a.json\n{}') }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const fileWith = async (sealing: Sealing): Promise<Buffer> =>
  Buffer.concat(await collect(writeBackup(frames(), sealing)))

/** In pieces of any size, as from a disk or a socket. */
function* cut(bytes: Buffer, size: number): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = (bytes: Buffer, opening: Sealing, size = 1 << 16): Promise<Frame[]> =>
  collect(readBackup(asyncly(cut(bytes, size)), opening))

describe.each([
  ['in the clear', NONE],
  ['sealed', KEY],
] as const)('a backup file %s', (_, sealing) => {
  it('returns what was written, in chunks of any size', async () => {
    const [file, expected] = [await fileWith(sealing), await collect(frames())]
    for (const size of [1, 7, 1 << 16]) expect(await read(file, sealing, size)).toEqual(expected)
    expect(unpackRows(expected[1]!.body)).toEqual(ROWS)
  })

  it('is refused if any bit is changed', async () => {
    const file = await fileWith(sealing)
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(file)
        damaged[at]! ^= 1 << bit
        await expect(read(damaged, sealing)).rejects.toThrow(BackupRefused)
      }),
      { numRuns: 300 },
    )
  })

  it('is refused if it is truncated anywhere, or followed by other bytes', async () => {
    const file = await fileWith(sealing)
    for (let length = 0; length < file.length; length += 1) {
      await expect(read(file.subarray(0, length), sealing)).rejects.toThrow(BackupRefused)
    }
    await expect(read(Buffer.concat([file, Buffer.from([0])]), sealing)).rejects.toThrow(BackupRefused)
  })
})

describe('a sealed backup file', () => {
  it('reveals nothing of its content', async () => {
    const file = (await fileWith(KEY)).toString('latin1')
    for (const text of ['r!T!C!', 'secrets/', 'CHAIN_DEVNET', '1.2.3']) expect(file).not.toContain(text)
  })

  it('opens with its own passphrase only', async () => {
    const file = await fileWith({ kind: 'passphrase', passphrase: 'correct horse' })
    expect(await read(file, { kind: 'passphrase', passphrase: 'correct horse' })).toHaveLength(4)
    for (const opening of [{ kind: 'passphrase', passphrase: 'correct horse ' }, KEY, NONE] as const) {
      await expect(read(file, opening)).rejects.toThrow(BackupRefused)
    }
    await expect(read(await fileWith(KEY), { kind: 'key', key: randomBytes(32) })).rejects.toThrow(/does not open/)
    await expect(read(await fileWith(NONE), KEY)).rejects.toThrow(/not encrypted/)
  })

  it('is refused if whole frames are swapped together with their checksums', async () => {
    // A changed file can have new checksums: only the seal detects the change.
    const equalFrames = async function* (): AsyncGenerator<Frame, void, undefined> {
      const bodies = ['first of one length', 'other of one length'].map((text) => Buffer.from(text))
      yield* asyncly([manifestFrame(MANIFEST), ...bodies.map((body) => ({ kind: 'store', body }) as const)])
    }
    const file = Buffer.concat(await collect(writeBackup(equalFrames(), KEY)))
    const { swapFrames } = await import('../swapped-frames.ts')
    await expect(read(swapFrames(file, 1, 2), KEY)).rejects.toThrow(/does not open/)
    await expect(read(swapFrames(file, 1, 1), KEY)).resolves.toHaveLength(3)
  })
})

describe('frames', () => {
  it('of files name nothing outside of the folders of sealed keys', async () => {
    for (const path of [
      '../a',
      'secrets/../master.key',
      'master.key',
      'bootstrap.key',
      '/etc/passwd',
      'secrets/.',
      'store/CURRENT',
      'secrets//a',
      '',
    ]) {
      expect(() => fileOf(Buffer.from(`${path}\nx`))).toThrow(BackupRefused)
    }
    expect(fileOf(Buffer.from('players/P1/identity.json\nx'))).toEqual({
      path: 'players/P1/identity.json',
      bytes: Buffer.from('x'),
    })
    expect((await fileFrames('secrets', 'no such folder').next()).done).toBe(true)
  })

  it('of files are read one by one, while other work runs', async () => {
    const folder = join(scratch(), 'secrets')
    mkdirSync(folder)
    for (let n = 0; n < 50; n += 1) writeFileSync(join(folder, `${n}.json`), 'x')
    let turns = 0
    const take = (): void => {
      turns += 1
      next = setImmediate(take)
    }
    let next = setImmediate(take)
    let count = 0
    for await (const { kind } of fileFrames('secrets', folder)) count += kind === 'file' ? 1 : 0
    clearImmediate(next)
    expect(count).toBe(50)
    expect(turns).toBeGreaterThanOrEqual(50)
  })

  it('of rows are refused if malformed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          unpackRows(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(BackupRefused)
        }
      }),
    )
  })

  it('of another version of the format are refused by name', async () => {
    const file = await fileWith(NONE)
    file[16] = 2
    await expect(read(file, NONE)).rejects.toThrow('format version 2')
  })
})
