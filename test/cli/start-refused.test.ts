// A start on a disk that is full or read-only, or without an endpoint that answers, ends with an exit code of its own
// and one line that says what to do.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failureOf } from '../../src/cli/failure.ts'
import { unusable } from '../../src/config/disk-fault.ts'
import { builtMain, startCommand } from '../config/command-line.ts'

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'holdfast-start-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const PORTS = { HOLDFAST_PORT: '0', HOLDFAST_EMBEDDED_RPC_PORT: '0' }
const linesOf = (stderr: string): string[] => stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))

/** A bound for what hangs, not for a slow machine. */
const PATIENCE_MS = 300_000

async function start(words = ['serve'], settings: Readonly<Record<string, string>> = {}) {
  const { child, ended } = startCommand(words, { HOLDFAST_DATA_DIR: dataDir, ...PORTS, ...settings })
  const late = setTimeout(() => child.kill(), PATIENCE_MS)
  const { code, stderr } = await ended
  clearTimeout(late)
  return { code, lines: linesOf(stderr) }
}

describe('a start whose file the system refuses to open', () => {
  it('names the store', async () => {
    mkdirSync(join(dataDir, 'store', 'LOCK'), { recursive: true })
    const { code, lines } = await start()
    expect([code, lines.length], lines.join('\n')).toEqual([74, 1])
    expect(lines[0]).toMatch(/store cannot be opened \(IO error: .*\): free space .* HOLDFAST_DATA_DIR names/)
  })

  it.each(['serve', 'localnet'])('names the ledger of the embedded chain: %s', async (command) => {
    mkdirSync(join(dataDir, 'chain', 'LOCK'), { recursive: true })
    const { code, lines } = await start([command])
    expect([code, lines.length], lines.join('\n')).toEqual([74, 1])
    expect(lines[0]).toMatch(/chain ended with code 74: .*chain\/LOCK: Is a directory: free space on its disk/)
  })
})

/** On a file system of its own, in a namespace of its own, which needs no other user. */
function startOn(options: string, prepare: string, folder = 'data'): { code: number | null; lines: string[] } {
  const script = `mount -t tmpfs -o ${options} tmpfs "$0" && cd "$0" && ${prepare} && exec "$1" "$2" serve`
  const { status, stderr } = spawnSync(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', script, dataDir, process.execPath, builtMain()],
    {
      env: { PATH: process.env['PATH'], HOLDFAST_DATA_DIR: join(dataDir, folder), ...PORTS },
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    },
  )
  return { code: status, lines: linesOf(stderr) }
}

// Some systems, and most containers, let nobody but root make a namespace: the faults above remain there.
const MAY_MOUNT = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0
const onFileSystems = MAY_MOUNT ? describe : (): void => undefined
onFileSystems('a start on a file system', () => {
  it('that is read-only names the directory, existing or not', () => {
    const readOnly = 'mkdir -m 700 data && mkdir -m 755 open && mount -o remount,ro "$0"'
    for (const [folder, text] of [
      ['data', /store cannot be opened \(EROFS: .*HOLDFAST_DATA_DIR/],
      ['open', /^holdfast: HOLDFAST_DATA_DIR .* has mode 0755 .* cannot be set: EROFS: .*make it writable/],
      ['new/folder', /^holdfast: HOLDFAST_DATA_DIR .* cannot be made: EROFS: .*make it writable/],
    ] as const) {
      const { code, lines } = startOn('size=1m', readOnly, folder)
      expect([code, lines.length], lines.join('\n')).toEqual([74, 1])
      expect(lines[0]).toMatch(text)
    }
  })

  it('that is full names the file that cannot be written, wherever the start meets it', () => {
    const texts: string[] = []
    for (const free of [8, 16, 20, 24]) {
      const full = `mkdir -m 700 data && { cat /dev/zero > fill; } 2> /dev/null; truncate -s -${free}k fill`
      const { code, lines } = startOn('size=1m', full)
      expect([code, lines.length], lines.join('\n')).toEqual([74, 1])
      texts.push(lines[0]!)
    }
    for (const text of texts) expect(text).toMatch(/(?:No|no) space left on device.*: free space on its disk/)
    expect(texts.join('\n')).toMatch(/HOLDFAST_MASTER_KEY cannot be had from/)
  })
})

describe('a first start without an endpoint that answers', () => {
  it('ends with 69 and names the cluster and its endpoint', async () => {
    const clusters = JSON.stringify({ CHAIN_DEVNET: ['http://127.0.0.1:9', 'http://127.0.0.1:10'] })
    const { code, lines } = await start(['serve'], { HOLDFAST_CLUSTERS: clusters })
    expect([code, lines.length], lines.join('\n')).toEqual([69, 1])
    expect(lines[0]).toMatch(
      /^holdfast: HOLDFAST_CLUSTERS: no endpoint of CHAIN_DEVNET says .*127\.0\.0\.1:9: ECONNREFUSED.*correct the endpoint/,
    )
  })
})

it('a setting whose disk fails is no wrong setting: a supervisor starts the service again', () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  expect(failureOf(unusable('HOLDFAST_MASTER_KEY cannot be had', full))).toEqual({
    code: 74,
    text: 'HOLDFAST_MASTER_KEY cannot be had: no space: free space on its disk, or make it writable for this user',
  })
  expect(failureOf(unusable('HOLDFAST_MASTER_KEY cannot be had', new Error('odd')))).toMatchObject({ code: 78 })
  expect(failureOf(new Error('not written', { cause: full }))).toMatchObject({ code: 74 })
  const ofLevel = Object.assign(new Error('IO error: /data/000005.log: No space left'), { code: 'LEVEL_IO_ERROR' })
  expect(failureOf(new Error('Database failed to open', { cause: ofLevel }))).toEqual({
    code: 74,
    text: expect.stringMatching(/^IO error: .*000005\.log.*: free space on its disk/) as string,
  })
  const unit = readFileSync(join(import.meta.dirname, '../../src/deploy/holdfast.service'), 'utf8')
  expect(unit).not.toMatch(/RestartPreventExitStatus=.*\b(?:69|74)\b/)
})
