import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BAD_VALUES } from './bad-values.ts'
import { startCommand } from './command-line.ts'

const firstOfEach = BAD_VALUES.filter(([name], index) => BAD_VALUES.findIndex(([other]) => other === name) === index)

describe('a start as a process', { concurrent: true }, () => {
  test.each(firstOfEach)('%s=%s ends with code 78, naming it', async (name, value) => {
    const { code, stdout, stderr } = await startCommand(['serve'], { [name]: value }).ended
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' })
    expect(stderr).toContain(name)
  })

  test('a data directory that cannot be made ends with code 78', async () => {
    const { code, stderr } = await startCommand(['localnet'], { HOLDFAST_DATA_DIR: '/dev/null/data' }).ended
    expect(code).toBe(78)
    expect(stderr).toContain('HOLDFAST_DATA_DIR')
  })

  test('a word that is no command ends with code 64', async () => {
    const { code, stderr } = await startCommand(['sreve'], {}).ended
    expect(code).toBe(64)
    expect(stderr).toContain('sreve')
  })

  test('--help and --version answer on stdout, whatever the settings are', async () => {
    const help = await startCommand(['serve', '--help'], { HOLDFAST_PORT: 'bad' }).ended
    expect(help.code).toBe(0)
    expect(help.stdout).toContain('HOLDFAST_EMBEDDED_FINALITY_SLOTS  [1]')
    const version = await startCommand(['--version'], {}).ended
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
  })
})
