// The output of a writer to a reader that does not read for a while is not lost, and does not end the writer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const LINES = 20_000

it('waits for a slow reader', async () => {
  const program = ['--import', 'tsx', join(import.meta.dirname, 'speaker.ts'), String(LINES)]
  const child = spawn('bash', ['--norc', '-c', 'exec "$@"', 'bash', process.execPath, ...program])
  const ended = once(child, 'close')
  const warnings = new Promise<void>((resolve) => {
    child.stderr.on('data', (data: Buffer) => {
      if (data.toString().includes('full')) resolve()
    })
  })
  await warnings
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString()
  })
  expect(await ended).toEqual([0, null])
  expect(text).toBe(Array.from({ length: LINES }, (_, line) => `${line}\n`).join(''))
})
