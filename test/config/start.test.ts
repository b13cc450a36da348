import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BAD_VALUES } from './bad-values.ts'
import { startCommand } from './command-line.ts'

const firstOfEach = new Map<string, string>()
for (const [name, value] of BAD_VALUES) if (!firstOfEach.has(name)) firstOfEach.set(name, value)

const PRIVATE_KEY = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

describe('a start of the process', { concurrent: true }, () => {
  test.each(['HOLDFAST_PORT', 'HOLDFAST_CLUSTERS', 'HOLDFAST_PROT'])(
    'with a bad %s exits with code 78 and names the setting',
    async (name) => {
      const { code, stdout, stderr } = await startCommand(['serve'], { [name]: firstOfEach.get(name) ?? '' }).ended
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' })
      expect(stderr).toContain(name)
    },
  )

  test('reports all bad settings at once, and conflicts of two settings once each is valid alone', async () => {
    const remaining = new Map(firstOfEach)
    while (remaining.size > 0) {
      const { code, stdout, stderr } = await startCommand(['serve'], Object.fromEntries(remaining)).ended
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' })
      const reportedNames = [...remaining.keys()].filter((name) =>
        new RegExp(`^(holdfast: )?${name} `, 'm').test(stderr),
      )
      expect(reportedNames, stderr).not.toEqual([])
      for (const name of reportedNames) remaining.delete(name)
    }
  })

  test('exits with code 78 if the data directory cannot be created', async () => {
    const { code, stderr } = await startCommand(['localnet'], { HOLDFAST_DATA_DIR: '/dev/null/data' }).ended
    expect(code).toBe(78)
    expect(stderr).toContain('HOLDFAST_DATA_DIR')
  })

  test.each([
    ['HOLDFAST_HOST', 'no-such-host.invalid'],
    ['HOLDFAST_HOST', '192.0.2.1'],
    ['HOLDFAST_EMBEDDED_RPC_HOST', '192.0.2.1'],
    ['HOLDFAST_EMBEDDED_RPC_PORT', 'taken'],
  ])('%s %s, which cannot be listened on, ends with code 78', async (name, value) => {
    const occupied = createServer().listen(0, '127.0.0.1')
    await once(occupied, 'listening')
    const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-start-'))
    try {
      const { port } = occupied.address() as AddressInfo
      const setting = { [name]: value === 'taken' ? String(port) : value }
      const environment = {
        HOLDFAST_DATA_DIR: dataDir,
        HOLDFAST_PORT: '0',
        HOLDFAST_EMBEDDED_RPC_PORT: '0',
        ...setting,
      }
      const { code, stderr } = await startCommand(['serve'], environment).ended
      expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining(name) as string })
    } finally {
      occupied.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  test.each([
    ['no file', null, 'cannot be read: ENOENT'],
    ['a file of nonsense', 'nonsense', 'must be a JWKS'],
    ['a set without a public key', '{"keys":[{"kty":"oct","k":"AAAA"},{"kty":"OKP"}]}', 'must be a JWKS'],
    ['a set of private keys', JSON.stringify({ keys: [PRIVATE_KEY] }), 'must be a JWKS'],
  ])('exits with code 78 if HOLDFAST_JWT_KEYS names %s', async (_what, text, rule) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-start-'))
    try {
      const path = join(dataDir, 'keys.json')
      if (text !== null) writeFileSync(path, text)
      const environment = {
        HOLDFAST_DATA_DIR: join(dataDir, 'data'),
        HOLDFAST_PORT: '0',
        HOLDFAST_EMBEDDED_RPC_PORT: '0',
        HOLDFAST_JWT_ISSUER: 'https://login.example',
        HOLDFAST_JWT_AUDIENCE: 'holdfast',
        HOLDFAST_JWT_KEYS: path,
      }
      const { code, stderr } = await startCommand(['serve'], environment).ended
      expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining(rule) as string })
      expect(stderr).toContain(`HOLDFAST_JWT_KEYS ${path}`)
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  test('exits with code 64 for an unknown command', async () => {
    const { code, stderr } = await startCommand(['sreve'], {}).ended
    expect(code).toBe(64)
    expect(stderr).toContain('sreve')
  })

  test('--help and --version answer on stdout with any settings', async () => {
    const help = await startCommand(['serve', '--help'], { HOLDFAST_PORT: 'bad' }).ended
    expect(help.code).toBe(0)
    expect(help.stdout).toContain('HOLDFAST_EMBEDDED_FINALITY_SLOTS  [1]')
    const version = await startCommand(['--version'], {}).ended
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string
    }
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
  })
})
