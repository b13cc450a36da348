// --data-dir names a data directory, whatever HOLDFAST_STORE is.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startCommand } from '../config/command-line.ts'

const URL = 'postgres://nobody@127.0.0.1:1/none'
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-given-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const COMMANDS = [['backup', join(scratch, 'x.hfb')], ['verify'], ['export', '--records'], ['audit', 'verify']]
const NOWHERE = ['--data-dir', join(scratch, 'nowhere')]

describe('a given data directory', () => {
  it.each(COMMANDS)('is used in place of HOLDFAST_STORE: %s', async (...words) => {
    const { code, stderr } = await startCommand([...words, ...NOWHERE], { HOLDFAST_STORE: URL }).ended
    expect([code, stderr]).toEqual([69, expect.stringContaining('nowhere contains no store')])
  })

  it('is used by doctor too, which also takes both', async () => {
    const doctor = (...more: string[]) => startCommand(['doctor', ...NOWHERE, ...more], { HOLDFAST_STORE: URL }).ended
    expect(await doctor()).toMatchObject({ code: 1, stdout: expect.stringContaining('nowhere') as string })
    expect((await doctor('--store', URL)).code).toBe(1)
  })

  it.each([...COMMANDS, ['restore', join(scratch, 'x.hfb')]])('excludes --store: %s', async (...words) => {
    const { code, stderr } = await startCommand([...words, ...NOWHERE, '--store', URL], {}).ended
    expect([code, stderr]).toEqual([64, expect.stringContaining('--data-dir and --store exclude each other')])
  })
})
