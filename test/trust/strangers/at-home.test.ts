// The service on its machine: its directory, its secrets, and which hosts may call it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readEnvironment } from '../../../src/config/environment.ts'
import { exposureOf } from '../../../src/config/exposure.ts'
import { settingsHelp } from '../../../src/config/help.ts'
import { prepareDataDir } from '../../../src/config/secrets.ts'
import { SettingsError } from '../../../src/config/settings-error.ts'
import { DECLARATIONS, isSecretSetting, loadSettings } from '../../../src/config/settings.ts'
import { Secret } from '../../../src/config/secret.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { startCommand } from '../../config/command-line.ts'
import { startWorld, type World } from '../../e2e/harness.ts'
import { startEcho } from '../../http/service.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'holdfast-home-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const KEY_32 = Buffer.alloc(32, 7).toString('base64')
const file = (name: string, text: string, mode = 0o600): string => {
  writeFileSync(join(folder, name), text, { mode })
  return join(folder, name)
}
function problemsOf(environment: Record<string, string>): string {
  try {
    loadSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join('\n')
    throw error
  }
  return ''
}

describe('attack 18: a data directory accessible to others', () => {
  it('is made private with a log line; a private one is accepted silently', () => {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o755)
    expect(prepareDataDir(dataDir)).toEqual([
      `${dataDir} had mode 0755, and was closed to others than its owner (0700)`,
    ])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(prepareDataDir(dataDir)).toEqual([])
  })

  it('ends the start with 78 if its mode cannot be set', async () => {
    // Modes cannot be changed there, not even by the owner.
    const { code, stderr } = await startCommand(['serve'], { HOLDFAST_DATA_DIR: '/proc/self' }).ended
    expect(code).toBe(78)
    expect(stderr).toMatch(/HOLDFAST_DATA_DIR \/proc\/self has mode 0555 and must be for its owner only \(0700\)/)
  })
})

describe('attack 18: secrets in the environment', () => {
  const NAMES = [...Object.values(DECLARATIONS).map(({ name }) => name), 'HOLDFAST_PLAYER_P1_KEY'].filter(
    isSecretSetting,
  )
  const VALUES: Readonly<Record<string, string>> = {
    HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
    HOLDFAST_VAULT_TOKEN: 'token',
    HOLDFAST_CLUSTERS: '{"CHAIN_MAINNET":"https://rpc.example/?key=secret"}',
    HOLDFAST_SIGNERS: `{"CUSTODY":{"url":"https://signer.example","secret":"whsec_${Buffer.alloc(32, 7).toString('base64')}"}}`,
  }
  const TOGETHER = { HOLDFAST_VAULT_URL: 'https://vault.example' }

  it('can be read from files, each of them', () => {
    expect(NAMES.sort()).toEqual([
      'HOLDFAST_ARCHIVE_KEY',
      'HOLDFAST_BOOTSTRAP_KEY',
      'HOLDFAST_CLUSTERS',
      'HOLDFAST_MASTER_KEY',
      'HOLDFAST_MASTER_KEY_NEXT',
      'HOLDFAST_NODE_SECRET',
      'HOLDFAST_PLAYER_P1_KEY',
      'HOLDFAST_SIGNERS',
      'HOLDFAST_STORE_PASSWORD',
      'HOLDFAST_VAULT_TOKEN',
    ])
    const values = Object.fromEntries(NAMES.map((name) => [name, VALUES[name] ?? KEY_32]))
    const files = Object.fromEntries(NAMES.map((name) => [`${name}_FILE`, file(name, `${values[name]}\n`)]))
    const reveal = (environment: Record<string, string>): unknown =>
      Object.entries(loadSettings({ ...TOGETHER, ...environment })).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Secret
          ? (value.reveal() as unknown)
          : value instanceof Map
            ? (value.get('P1') as Secret<Uint8Array>).reveal()
            : value,
      ])
    expect(reveal(files)).toEqual(reveal(values))
  })

  it('are typed as secrets in the settings, never as text', () => {
    const plain = Object.values(DECLARATIONS).filter(
      ({ name }) => /KEY|TOKEN|SECRET|PASSWORD/.test(name) && !isSecretSetting(name),
    )
    // A file of public keys, a folder, and a kind of place.
    expect(plain.map(({ name }) => name).sort()).toEqual([
      'HOLDFAST_JWT_KEYS',
      'HOLDFAST_SECRETS_DIR',
      'HOLDFAST_SECRETS_STORE',
      'HOLDFAST_TLS_KEY',
    ])
  })

  it('are refused if given in both ways, if the file cannot be read, and if its content is invalid', () => {
    const path = file('key', KEY_32)
    expect(problemsOf({ HOLDFAST_MASTER_KEY: KEY_32, HOLDFAST_MASTER_KEY_FILE: path })).toBe(
      'HOLDFAST_MASTER_KEY_FILE and HOLDFAST_MASTER_KEY are both given: only one may be',
    )
    expect(problemsOf({ HOLDFAST_MASTER_KEY_FILE: join(folder, 'none') })).toBe(
      `HOLDFAST_MASTER_KEY_FILE ${join(folder, 'none')} cannot be read: ENOENT`,
    )
    expect(problemsOf({ HOLDFAST_PLAYER_P1_KEY_FILE: file('bad', 'short') })).toBe(
      'HOLDFAST_PLAYER_P1_KEY_FILE must be 32 bytes in base64 (44 characters)',
    )
    expect(problemsOf({ HOLDFAST_PORT_FILE: path })).toContain('HOLDFAST_PORT_FILE is not a setting')
  })

  it('in files readable by others cause a warning', () => {
    expect(loadSettings({ HOLDFAST_MASTER_KEY_FILE: file('mine', KEY_32) }).warnings).toEqual([])
    const [warning, ...others] = loadSettings({ HOLDFAST_MASTER_KEY_FILE: file('theirs', KEY_32, 0o644) }).warnings
    expect(warning).toBe(
      `HOLDFAST_MASTER_KEY_FILE ${join(folder, 'theirs')} can be read by others than its owner: set its mode to 0600`,
    )
    expect(others).toEqual([])
  })

  it('end a start with 78, naming the setting', async () => {
    const { code, stderr } = await startCommand(['serve'], { HOLDFAST_MASTER_KEY_FILE: join(folder, 'none') }).ended
    expect(code).toBe(78)
    expect(stderr).toContain('HOLDFAST_MASTER_KEY_FILE')
  })

  it('are removed from the environment of the process when they are read, and can be read again', () => {
    process.env['HOLDFAST_MASTER_KEY'] = KEY_32
    expect(readEnvironment()).toMatchObject({ HOLDFAST_MASTER_KEY: KEY_32 })
    expect(process.env['HOLDFAST_MASTER_KEY']).toBeUndefined()
    expect(readEnvironment()).toMatchObject({ HOLDFAST_MASTER_KEY: KEY_32 })
  })

  it('are listed with their files in the help and in the documentation', () => {
    const settings = readFileSync(join(import.meta.dirname, '../../../src/docs/settings.md'), 'utf8')
    for (const name of NAMES.map((each) => each.replace('PLAYER_P1_KEY', 'PLAYER_<CODE>_KEY'))) {
      expect(settingsHelp()).toContain(`or ${name}_FILE: a file that holds it`)
      expect(settings).toContain(`\`${name}_FILE\``)
    }
  })
})

/** Status of a GET with that Host header. */
function statusOf(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const pendingRequest = request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    pendingRequest.on('error', reject)
    pendingRequest.end()
  })
}

describe('attack 18: a foreign host name that resolves to this machine', () => {
  let world: World
  beforeAll(async () => void (world = await startWorld()))
  afterAll(() => world.stop())
  const STRANGERS = [
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '10.0.0.1',
    '[::2]',
    'x@localhost',
  ]
  const OWN = ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8080', '127.9.9.9', '[::1]', '[::1]:8080']

  it('is answered 421 by the service, on every path', async () => {
    for (const path of ['/livez', '/metrics', '/docs', '/console', '/api/v1/whoami', '/nowhere']) {
      for (const host of STRANGERS)
        expect([path, host, await statusOf(world.url + path, host)]).toEqual([path, host, 421])
    }
    for (const host of OWN) expect([host, await statusOf(`${world.url}/livez`, host)]).toEqual([host, 200])
  })

  it('is answered 421 by the embedded chain, on both of its ports', async () => {
    for (const host of STRANGERS) expect([host, await statusOf(`${world.rpcUrl}/health`, host)]).toEqual([host, 421])
    for (const host of OWN) expect([host, await statusOf(`${world.rpcUrl}/health`, host)]).toEqual([host, 200])
    const { port, hostname } = new URL(world.rpcUrl)
    const openSocket = (host: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`, { headers: { host } })
        socket.on('open', () => {
          socket.close()
          resolve('open')
        })
        socket.on('error', ({ message }) => resolve(message))
      })
    expect(await openSocket('evil.example')).toContain('421')
    expect(await openSocket('localhost')).toBe('open')
  })

  it('is accepted from a configured proxy only', async () => {
    await using proxied = await startEcho({
      settings: { trustedProxy: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] },
    })
    expect(await statusOf(`${proxied.url}/livez`, 'holdfast.example')).toBe(200)
  })
})

describe('attack 18: plain HTTP beyond loopback', () => {
  const warningsOf = (settings: Record<string, string>): string => exposureOf(loadSettings(settings)).join('\n')

  it('causes a warning at the start, unless a certificate or a proxy is configured', () => {
    const remote = { HOLDFAST_CLUSTERS: '{"CHAIN_MAINNET":"https://rpc.example"}' }
    const tls = { HOLDFAST_TLS_CERTIFICATE: '/cert.pem', HOLDFAST_TLS_KEY: '/key.pem' }
    for (const host of ['0.0.0.0', '10.0.0.1', '::', 'holdfast.example']) {
      expect(warningsOf({ HOLDFAST_HOST: host, ...remote })).toContain(`on ${host}, beyond loopback, without TLS`)
      expect(warningsOf({ HOLDFAST_HOST: host, ...remote, ...tls })).toBe('')
      expect(warningsOf({ HOLDFAST_HOST: host, ...remote, HOLDFAST_TRUSTED_PROXY: '10.0.0.1' })).toBe('')
      // The chain has its own host: it does not follow the service.
      expect(warningsOf({ HOLDFAST_HOST: host, ...tls })).toBe('')
      expect(warningsOf({ HOLDFAST_EMBEDDED_RPC_HOST: host })).toContain('it gives funds to all who ask')
    }
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1'])
      expect(warningsOf({ HOLDFAST_HOST: host })).toBe('')
  })
})
