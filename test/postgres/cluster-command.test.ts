// `npm run cluster`: nodes, a chain and a database in one command, with the tour at each node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

async function cluster(...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const run = spawn(process.execPath, ['--import', 'tsx', 'test/postgres/cluster.ts', ...words], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  })
  let text = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(run, 'close')) as [number]
  return { code, text }
}

it('runs the tour at each of its nodes, and ends all that it has started', async () => {
  const { code, text } = await cluster('--nodes', '2', '--once')
  expect(text).toContain('Every step and every balance is as expected at 2 nodes.')
  expect(text.match(/^The tour at node-[12]$/gm)).toEqual(['The tour at node-1', 'The tour at node-2'])
  expect(code).toBe(0)
})

it('refuses a number of nodes that it cannot start', async () => {
  expect(await cluster('--nodes', '0')).toMatchObject({ code: 64, text: expect.stringContaining('--nodes') as string })
})
