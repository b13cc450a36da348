// Unreadable data ends a start with one sentence that names the remedy, and with 65.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../snapshots/backup/database.ts'
import { CorruptRow, MissingRow } from '../../snapshots/errors.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { failureOf } from '../../src/cli/failure.ts'
import { startCommand } from '../config/command-line.ts'

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'holdfast-damage-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function start(): Promise<{ code: number | null; lines: string[] }> {
  const { code, stderr } = await startCommand(['serve'], {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_EMBEDDED_RPC_PORT: '0',
  }).ended
  return { code, lines: stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{')) }
}

describe('a start is refused', () => {
  it('if the store is a file', async () => {
    writeFileSync(join(dataDir, 'store'), 'x')
    const { code, lines } = await start()
    expect([code, lines.length]).toEqual([65, 1])
    expect(lines[0]).toContain(`${join(dataDir, 'store')} is a file`)
  })

  it('if a bit of the store is flipped', async () => {
    const path = join(dataDir, 'store')
    mkdirSync(path)
    for (let round = 0; round < 2; round += 1) {
      const store = await openStore({ path, onFatal: () => undefined })
      const ops = Array.from({ length: 2_000 }, (_, index) => ({
        type: 'meta' as const,
        name: `x${round}.${index}`,
        value: 'y'.repeat(200),
      }))
      await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops }])
      await store.close()
    }
    const tables = readdirSync(path).filter((name) => name.endsWith('.ldb'))
    expect(tables.length).toBeGreaterThan(0)
    for (const name of tables) {
      const bytes = readFileSync(join(path, name))
      for (let at = 100; at < bytes.length; at += 512) bytes[at]! ^= 1
      writeFileSync(join(path, name), bytes)
    }
    const { code, lines } = await start()
    expect([code, lines.length]).toEqual([65, 1])
    expect(lines[0]).toContain('the data are damaged')
    expect(lines[0]).toContain('holdfast restore FILE')
  })

  it.each(['serve', 'verify', 'backup', 'doctor', 'keys'])(
    'if the file is missing that names the others, and %s deletes none of them',
    async (command) => {
      const path = join(dataDir, 'store')
      mkdirSync(path)
      for (let round = 0; round < 2; round += 1) {
        const store = await openStore({ path, onFatal: () => undefined })
        await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops: [{ type: 'meta', name: 'x', value: round }] }])
        await store.close()
      }
      writeFileSync(join(dataDir, 'master.key'), Buffer.alloc(32, 1).toString('base64'))
      rmSync(join(path, 'CURRENT'))
      const data = (): string[] => readdirSync(path).filter((name) => /\.ldb$|\.log$|^MANIFEST/.test(name))
      const before = data()
      const words = {
        serve: ['serve'],
        verify: ['verify', dataDir],
        backup: ['backup', join(dataDir, 'a.hfb'), '--data-dir', dataDir],
        doctor: ['doctor', '--data-dir', dataDir],
        keys: ['keys', 'rotate-master', '--data-dir', dataDir],
      }[command]!
      const { code, stdout, stderr } = await startCommand(words, {
        HOLDFAST_DATA_DIR: dataDir,
        HOLDFAST_PORT: '0',
        HOLDFAST_EMBEDDED_RPC_PORT: '0',
      }).ended
      expect(code).toBe(command === 'doctor' ? 1 : 65)
      expect(stdout + stderr).toContain('the data are damaged')
      expect(stdout + stderr).toContain(`${path} has files of a database, but its file CURRENT is missing`)
      expect(data()).toEqual(before)
    },
  )

  it.each(['CURRENT', 'MANIFEST'])('if the file %s of the embedded chain is missing', async (missing) => {
    const path = join(dataDir, 'chain')
    mkdirSync(path)
    const chain = await openDatabase(path, { make: true })
    await chain.put([[Buffer.from('a'), Buffer.from('b')]], { sync: true })
    await chain.close()
    for (const name of readdirSync(path).filter((each) => each.startsWith(missing))) rmSync(join(path, name))
    const before = readdirSync(path).filter((name) => name.endsWith('.log'))
    const { code, lines } = await start()
    expect([code, lines.length], lines.join('\n')).toEqual([65, 1])
    expect(lines[0]).toContain('the data are damaged')
    expect(lines[0]).not.toContain(' at ')
    expect(readdirSync(path).filter((name) => name.endsWith('.log'))).toEqual(before)
  })

  it('if a bit of the log is flipped, where LevelDB would skip a commit', async () => {
    const path = join(dataDir, 'store')
    mkdirSync(path)
    const store = await openStore({ path, onFatal: () => undefined })
    for (let index = 0; index < 5; index += 1) {
      const op = { type: 'meta' as const, name: `x${index}`, value: 'y'.repeat(200) }
      await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops: [op] }])
    }
    await store.close()
    const log = join(
      path,
      readdirSync(path).find((name) => name.endsWith('.log'))!,
    )
    const bytes = readFileSync(log)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(log, bytes)
    const { code, lines } = await start()
    expect([code, lines.length]).toEqual([65, 1])
    expect(lines[0]).toContain(`the data are damaged (the log ${log} cannot be read at byte`)
    expect(lines[0]).toContain('holdfast restore FILE')
  })
})

it('with a message instead of a stack trace if a row is missing or unreadable', () => {
  for (const error of [
    new MissingRow('the payload of transaction t'),
    new CorruptRow('k', new Error('x')),
    new Error('x', { cause: new Error('Corruption: y') }),
  ]) {
    const { code, text } = failureOf(error)
    expect(code).toBe(65)
    expect(text).toMatch(/^the data are damaged \([^\n]*\): keep a copy of the directory and restore the newest backup/)
    expect(text).not.toContain('\n')
  }
})
