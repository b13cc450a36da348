// A process with several threads that is stopped while it starts: its embedded chain ends with it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startCommand } from '../config/command-line.ts'
import { freshFixture } from './free-ports.ts'

it.each([
  ['while the embedded chain starts', ''],
  ['while the other threads start', 'this node has joined'],
])('is stopped in order %s', async (_, line) => {
  using fixture = await freshFixture()
  const settings = { HOLDFAST_WORKERS: '3', HOLDFAST_PLAYERS: '', HOLDFAST_PORT: '0' }
  const { child, ended, stdout, stderr } = startCommand(['serve'], { ...fixture.environment, ...settings })
  const record = join(fixture.dataDir, 'chain', 'process.json')
  const recorded = (): string => (existsSync(record) ? readFileSync(record, 'utf8') : '')
  while (!stderr().includes(line) || !recorded().endsWith('\n')) {
    expect(child.exitCode, stderr()).toBeNull()
    await delay(5)
  }
  const { pid } = JSON.parse(recorded()) as { readonly pid: number }
  const chainAtExit = new Promise<boolean>((resolve) => {
    child.once('exit', () => resolve(existsSync(`/proc/${String(pid)}`)))
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) child.kill(signal)
  expect([(await ended).code, await chainAtExit]).toEqual([0, false])
  expect(existsSync(record)).toBe(false)
  expect(stdout()).toBe('')
})
