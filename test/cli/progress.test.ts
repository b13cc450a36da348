// Progress bars: drawn on a terminal, with the count and the end, and not a byte otherwise.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../snapshots/level-store.ts'
import { bar } from '../../src/cli/progress.ts'
import { startCommand } from '../config/command-line.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** A stream that claims to be a terminal, or not; and the bytes written to it. */
function screen(isTTY: boolean): { readonly out: NodeJS.WriteStream; readonly text: () => string } {
  let text = ''
  const write = (chunk: Buffer | string, _: unknown, done: () => void): void => {
    text += chunk.toString()
    done()
  }
  const out = Object.assign(new Writable({ write }), { isTTY, columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream
  return { out, text: () => text }
}

/** Drawn at most about ten times a second: the last state is drawn at the end. */
async function renderProgress(
  isTTY: boolean,
  whole: boolean,
  work: (one: ReturnType<typeof bar>) => void,
): Promise<string> {
  const { out, text } = screen(isTTY)
  const one = bar('verify', 'rows', { whole, out })
  work(one)
  one.done()
  await new Promise((resolve) => setImmediate(resolve))
  return text()
}

describe('a progress bar', () => {
  it('shows progress on a terminal, and is removed at the end', async () => {
    const text = await renderProgress(true, true, (one) => {
      one.at(1, 4)
      one.at(4, 4)
    })
    expect(text).toContain('verify')
    expect(text).toMatch(/25% 1\/4 rows/)
    // The cursor is shown again, and the line is cleared.
    expect(text).toContain('\u001b[?25h')
    expect(text).toMatch(/\u001b\[[02]?K/)
  })

  it('shows only the count if the total is unknown', async () => {
    const text = await renderProgress(true, false, (one) => one.at(1_234))
    expect(text).toContain('verify 1234 rows')
    expect(text).not.toContain('%')
  })

  it('draws nothing before the first progress', async () => {
    expect(await renderProgress(true, true, () => undefined)).not.toContain('verify')
  })

  it('writes nothing to a terminal that a program reads', () => {
    const { out, text } = screen(true)
    const one = bar('verify', 'rows', { quiet: true, out })
    one.at(1, 2)
    one.done()
    expect(text()).toBe('')
  })

  it('writes nothing if the output is no terminal', async () => {
    expect(await renderProgress(false, true, (one) => one.at(1, 2))).toBe('')
  })
})

describe('a command with progress', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'holdfast-progress-'))
  const dataDir = join(scratch, 'data')
  beforeAll(async () => {
    const store = await openStore({ path: join(dataDir, 'store'), onFatal: () => undefined })
    await store.commit([{ tenant: 'T', epoch: 1, ops: [{ type: 'meta', name: 'a', value: 1 }] }])
    await store.close()
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  it('writes only its report to a pipe', async () => {
    const { stdout, stderr, code } = await startCommand(
      ['backup', join(scratch, 'piped.hfb'), '--data-dir', dataDir],
      {},
    ).ended
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toMatch(/^\S+piped\.hfb: \d+ bytes/)
    expect(stdout).not.toContain('\u001b')
  })

  // A real terminal of the kernel, if the tool that provides one is installed.
  const onTerminal = (words: string): string => {
    const command = `${process.execPath} src/holdfast.mjs ${words} --data-dir ${dataDir}`
    return execFileSync('script', ['-qec', command, '/dev/null'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString()
  }

  if (existsSync('/usr/bin/script'))
    it('draws on a real terminal, and nothing with --json', () => {
      const output = onTerminal(`backup ${join(scratch, 'drawn.hfb')}`)
      expect(output).toContain('\u001b[?25l')
      expect(output).toMatch(/backup \d+ rows/)
      expect(output).toContain('read back and verified')
      const quiet = onTerminal(`backup ${join(scratch, 'quiet.hfb')} --json`)
      expect(quiet).not.toContain('\u001b')
      expect(JSON.parse(quiet)).toMatchObject({ running: false })
    })
})
