// A store that several processes share: the settings that it requires, and those that it excludes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { nodeIdentity } from '../../src/config/node-settings.ts'
import { SettingsError } from '../../src/config/settings-error.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { resetClock } from '../../src/cli/clock-reset.ts'
import { rotateMaster } from '../../src/cli/rotate-master.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { isOnThisMachine, parseAddress } from '../../snapshots/postgres/address.ts'
import { listServerWarnings, whyUnfit } from '../../snapshots/postgres/fitness.ts'
import { clockOffText } from '../../src/service/front.ts'

const key32 = Buffer.alloc(32, 7).toString('base64')
const GIVEN = {
  HOLDFAST_STORE: 'postgres://holdfast@db.example:6432/books',
  HOLDFAST_STORE_PASSWORD: 'correct-horse',
  HOLDFAST_MASTER_KEY: key32,
  HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
  HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:8899"}',
  HOLDFAST_PLAYERS: '',
  HOLDFAST_SECRETS_DIR: '/srv/shared',
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    loadSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

describe('settings of a shared store', () => {
  it('are accepted, and never print the password', () => {
    const settings = loadSettings(GIVEN)
    expect(settings.store).toEqual({
      ...{ host: 'db.example', port: 6432, user: 'holdfast', database: 'books', sslMode: 'verify-full' },
    })
    expect(settings.storePassword?.reveal()).toBe('correct-horse')
    expect(inspect(settings, { depth: 9, showHidden: true })).not.toContain('correct-horse')
  })

  it.each([
    ['HOLDFAST_MASTER_KEY', undefined],
    ['HOLDFAST_BOOTSTRAP_KEY', undefined],
    ['HOLDFAST_CLUSTERS', undefined],
    ['HOLDFAST_CLUSTERS', '{"CHAIN_MAINNET":"https://a.example","CHAIN_DEVNET":"embedded"}'],
    ['HOLDFAST_PLAYERS', undefined],
    ['HOLDFAST_PLAYERS', 'P1'],
    ['HOLDFAST_SECRETS_DIR', undefined],
    ['HOLDFAST_ARCHIVE_DIR', '/srv/archive'],
    ['HOLDFAST_MASTER_KEY_NEXT', key32],
  ])('%s=%s is refused by name', (name, value) => {
    const problems = problemsOf({ ...GIVEN, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} `))
  })

  it.each([
    ['HOLDFAST_MASTER_KEY', 'c2hvcnQ='],
    ['HOLDFAST_MASTER_KEY_FILE', '/does/not/exist'],
    ['HOLDFAST_BOOTSTRAP_KEY', 'short'],
    ['HOLDFAST_BOOTSTRAP_KEY_FILE', '/does/not/exist'],
    ['HOLDFAST_SECRETS_DIR', ''],
  ])('%s=%s is reported once, as what is wrong with it', (name, value) => {
    const setting = name.replace(/_FILE$/, '')
    const problems = problemsOf({ ...GIVEN, [setting]: undefined, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} `))
    expect(problems[0]).not.toContain('is needed')
  })

  it('need no folder of secrets if the secrets are stored elsewhere, and no password', () => {
    const elsewhere = {
      ...{ HOLDFAST_SECRETS_STORE: 'vault', HOLDFAST_VAULT_URL: 'https://v.example', HOLDFAST_VAULT_TOKEN: 't' },
    }
    expect(
      problemsOf({
        ...{ ...GIVEN, ...elsewhere, HOLDFAST_SECRETS_DIR: undefined, HOLDFAST_STORE_PASSWORD: undefined },
      }),
    ).toEqual([])
  })

  it.each(['postgres.md', 'several-machines.md'])('suffice as %s prints them', (name) => {
    const text = readFileSync(join(import.meta.dirname, '..', '..', 'src', 'docs', name), 'utf8')
    const [, block = ''] = /^```sh\n(HOLDFAST_STORE=[^]*?)^```$/m.exec(text) ?? []
    const contents: Readonly<Record<string, string>> = {
      ...{ 'store-password': 'p', 'node-secret': 's'.repeat(32), 'master.key': key32, 'vault-token': 't' },
      'bootstrap.key': GIVEN.HOLDFAST_BOOTSTRAP_KEY,
    }
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-printed-'))
    try {
      for (const [file, content] of Object.entries(contents))
        writeFileSync(join(folder, file), content, { mode: 0o600 })
      const lines = block.replaceAll('/etc/holdfast', folder).trim().split('\n')
      const pairs = lines.map((line) => /^(\w+)='?(.*?)'?$/.exec(line)!.slice(1) as [string, string])
      const settings = loadSettings(Object.fromEntries(pairs))
      expect(nodeIdentity(settings).nodeSecret).toBe(contents['node-secret'])
      expect(settings.secretsStore).toBe('vault')
      expect(settings.vaultUrl).not.toBeNull()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('do not print the password in an address', () => {
    const problems = problemsOf({ ...GIVEN, HOLDFAST_STORE: 'postgres://holdfast:correct-horse@db.example/books' })
    expect(problems).toEqual(['HOLDFAST_STORE must not hold a password: HOLDFAST_STORE_PASSWORD_FILE names its file'])
  })

  it('do not change the master key', async () => {
    const log = { info: () => undefined, warn: () => undefined }
    await expect(rotateMaster(loadSettings(GIVEN), log)).rejects.toThrow('rotate-master')
  })

  it('do not reset the clock, and do not order to', async () => {
    const settings = loadSettings(GIVEN)
    const message = expect.stringContaining('HOLDFAST_STORE=postgres:// does not allow clock reset') as unknown
    await expect(resetClock(settings)).rejects.toMatchObject({ exitCode: 78, message })
    expect(clockOffText(settings.store)).toContain('see the runbook')
    expect(clockOffText('level')).toContain('holdfast clock reset')
  })
})

describe('addresses of a PostgreSQL server', () => {
  it('contain a host, a port or a socket', () => {
    const usual = { port: 5432, user: 'u', database: 'd', sslMode: 'disable' }
    expect(parseAddress('postgres://u@localhost/d')).toEqual({ ...usual, host: 'localhost' })
    expect(parseAddress('postgresql://u@[::1]:1/d')).toEqual({ ...usual, host: '::1', port: 1 })
    expect(parseAddress('postgres:///d?host=/var/run/postgresql&user=u')).toEqual({
      ...usual,
      host: '/var/run/postgresql',
    })
    expect(parseAddress('postgres://u@%2Frun%2Fpg/d')).toEqual({ ...usual, host: '/run/pg' })
    expect(parseAddress('postgres://u%40x@10.0.0.1/d%20e?sslmode=require')).toEqual({
      ...{ ...usual, host: '10.0.0.1', user: 'u@x', database: 'd e', sslMode: 'require' },
    })
  })

  it('are verified by certificate unless they are local or opt out', () => {
    expect(parseAddress('postgres://u@db/d').sslMode).toBe('verify-full')
    expect(parseAddress('postgres://u@db/d?sslmode=disable').sslMode).toBe('disable')
    expect(['/run/pg', 'localhost', '127.0.0.2', '::1', 'localhost.example', '10.0.0.1'].map(isOnThisMachine)).toEqual([
      ...[true, true, true, true, false, false],
    ])
  })
})

describe('a server', () => {
  const fit = {
    ...{ version: 140_005, versionText: '14.5', encoding: 'UTF8', inRecovery: false, readOnly: false, fsync: 'on' },
    ...{ fullPageWrites: 'on', synchronousCommit: 'on', synchronousStandbys: 'standby' },
  }
  it.each([
    [{ version: 130_012, versionText: '13.12' }, '14 or newer'],
    [{ encoding: 'SQL_ASCII' }, 'UTF8'],
    [{ fsync: 'off' }, 'fsync'],
    [{ fullPageWrites: 'off' }, 'full_page_writes'],
    [{ synchronousCommit: 'off' }, 'synchronous_commit'],
    [{ inRecovery: true }, 'standby'],
    [{ readOnly: true }, 'read_only'],
  ])('with %j cannot hold a store', (change, reason) => {
    expect(whyUnfit(fit)).toBeNull()
    expect(whyUnfit({ ...fit, ...change })).toContain(reason)
  })

  it('without a synchronous standby causes a warning', () => {
    expect(listServerWarnings(fit)).toEqual([])
    expect(listServerWarnings({ ...fit, synchronousStandbys: '' })).toHaveLength(1)
    expect(listServerWarnings({ ...fit, synchronousCommit: 'local' })).toHaveLength(1)
  })
})

describe('settings of several threads on one data directory', () => {
  const THREADS = { HOLDFAST_WORKERS: '2', HOLDFAST_PLAYERS: '' }

  it('are accepted with the embedded chain', () => {
    expect(problemsOf(THREADS)).toEqual([])
  })

  it.each([
    ['HOLDFAST_PLAYERS', { HOLDFAST_PLAYERS: 'P1' }],
    ['HOLDFAST_ARCHIVE_DIR', { HOLDFAST_ARCHIVE_DIR: '/srv/archive' }],
    ['HOLDFAST_CELL_IDLE_SECONDS', { HOLDFAST_CELL_IDLE_SECONDS: '60' }],
    ['HOLDFAST_NODE_URL', { HOLDFAST_TLS_CERTIFICATE: '/srv/cert.pem', HOLDFAST_TLS_KEY: '/srv/key.pem' }],
  ])('are refused for %s', (name, changes) => {
    const problems = problemsOf({ ...THREADS, ...changes })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^HOLDFAST_WORKERS above 1 .*${name}`))
  })
})
