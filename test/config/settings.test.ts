import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settingsHelp } from '../../src/config/help.ts'
import { providerBearer } from '../../src/config/lending-providers.ts'
import { SettingsError } from '../../src/config/settings-error.ts'
import { DECLARATIONS, loadSettings } from '../../src/config/settings.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { BAD_VALUES } from './bad-values.ts'

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const key32 = Buffer.alloc(32, 7).toString('base64')
const webhookSecret = `whsec_${key32}`

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  expect(loadSettings({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: resolve('data'),
    store: 'level',
    storePassword: null,
    bootstrapKey: null,
    masterKey: null,
    masterKeyNext: null,
    secretsStore: 'folder',
    secretsDir: null,
    vaultUrl: null,
    vaultToken: null,
    vaultMount: 'transit',
    kmsRegion: null,
    kmsEndpoint: null,
    players: ['P1', 'P2', 'P3'],
    signers: [],
    clusters: [{ id: 'CHAIN_DEVNET', endpoints: 'embedded' }],
    embeddedRpcHost: '127.0.0.1',
    embeddedRpcPort: 8899,
    embeddedSlotMs: 400,
    embeddedFinalitySlots: 1,
    embeddedPrograms: [],
    embeddedAccounts: [],
    embeddedFaults: false,
    outboundAllow: [],
    lendingProviders: [],
    feedRefreshSeconds: 0,
    feedStaleSeconds: 3_600,
    maxFeeLamports: 10_000_000n,
    rateLimit: { perSecond: 200, burst: 400 },
    subscribedAccounts: 500,
    subscribedSignatures: 1_000,
    statusPollsMs: [250, 500, 750],
    tenantShare: 10,
    residentTransactions: 100_000,
    responseWaitMs: 10_000,
    tlsCertificate: null,
    tlsKey: null,
    jwtIssuer: null,
    jwtAudience: null,
    jwtKeys: null,
    jwtAlgorithms: ['EdDSA', 'ES256'],
    jwtClaims: { organization: 'organization', roles: 'roles' },
    archiveDir: null,
    archiveKey: null,
    nodeId: null,
    nodeUrl: null,
    nodeSecret: null,
    leaseMs: 5_000,
    cellIdleSeconds: 0,
    workers: 1,
    trustedProxy: [],
    tracesUrl: null,
    logLevel: 'info',
    playerKeys: new Map(),
    warnings: [],
  })
})

test('the embedded chain, which airdrops to everyone, does not listen on the public address of the service', () => {
  expect(loadSettings({ HOLDFAST_HOST: '0.0.0.0' })).toMatchObject({ host: '0.0.0.0', embeddedRpcHost: '127.0.0.1' })
  const other = loadSettings({ HOLDFAST_EMBEDDED_RPC_HOST: '0.0.0.0' })
  expect(other).toMatchObject({ host: '127.0.0.1', embeddedRpcHost: '0.0.0.0' })
})

test('every setting is read', () => {
  const { apiKey } = generateApiKey()
  const nodeSecret = 'a-secret-of-all-nodes-that-is-long-enough'
  const settings = loadSettings({
    HOLDFAST_HOST: '::1',
    HOLDFAST_PORT: '0',
    HOLDFAST_DATA_DIR: '/var/lib/holdfast',
    HOLDFAST_BOOTSTRAP_KEY: apiKey,
    HOLDFAST_MASTER_KEY: key32,
    HOLDFAST_PLAYERS: 'A, B2',
    HOLDFAST_MASTER_KEY_NEXT: key32,
    HOLDFAST_SECRETS_STORE: 'vault',
    HOLDFAST_VAULT_URL: 'https://vault.example:8200/',
    HOLDFAST_VAULT_TOKEN: 'hvs.token',
    HOLDFAST_VAULT_MOUNT: 'teams/transit',
    HOLDFAST_KMS_REGION: 'eu-central-1',
    HOLDFAST_KMS_ENDPOINT: 'http://127.0.0.1:4566',
    HOLDFAST_SECRETS_DIR: '/var/lib/holdfast-secrets',
    HOLDFAST_SIGNERS: JSON.stringify({
      ACME_CUSTODY: { url: 'https://a.example/sign', publicKeyUrl: 'https://a.example/keys', secret: webhookSecret },
      B2: { url: 'http://127.0.0.1:9000', secret: webhookSecret },
    }),
    HOLDFAST_CLUSTERS: JSON.stringify({
      CHAIN_MAINNET: ['https://a.example/k', 'https://b.example'],
      CHAIN_DEVNET: 'http://127.0.0.1:1',
      CHAIN_DEVNET_1: { endpoints: 'embedded', ratePerSecond: 50 },
      CHAIN_PERMISSIONED: [
        { url: 'https://a.example/k', weight: 2.5 },
        { url: 'https://b.example' },
        'https://c.example',
      ],
    }),
    HOLDFAST_EMBEDDED_RPC_PORT: '0',
    HOLDFAST_EMBEDDED_SLOT_MS: '50',
    HOLDFAST_EMBEDDED_FINALITY_SLOTS: '32',
    HOLDFAST_EMBEDDED_FAULTS: 'on',
    HOLDFAST_OUTBOUND_ALLOW: 'Hooks.example:8443, [fd00::1]:443,10.0.0.0/8, fd00::/8',
    HOLDFAST_LENDING_PROVIDERS: JSON.stringify([
      {
        name: 'ACME_LENDING',
        url: 'https://lend.example/orders',
        bearerFile: '/run/secrets/lend',
        operations: ['CREATE', 'CLOSE'],
        programs: [MEMO],
      },
      { name: 'B2', url: 'http://10.0.0.5:8000' },
    ]),
    HOLDFAST_FEED_REFRESH_SECONDS: '60',
    HOLDFAST_FEED_STALE_SECONDS: '120',
    HOLDFAST_MAX_FEE_LAMPORTS: '18446744073709551615',
    HOLDFAST_RATE_LIMIT: '5/1',
    HOLDFAST_RESIDENT_TRANSACTIONS: '7',
    HOLDFAST_RESPONSE_WAIT_MS: '0',
    HOLDFAST_TLS_CERTIFICATE: '/etc/tls/chain.pem',
    HOLDFAST_TLS_KEY: '/etc/tls/key.pem',
    HOLDFAST_JWT_ISSUER: 'https://login.example/realm',
    HOLDFAST_JWT_AUDIENCE: 'holdfast',
    HOLDFAST_JWT_KEYS: '/etc/keys.json',
    HOLDFAST_JWT_ALGORITHMS: 'ES256, RS256',
    HOLDFAST_JWT_CLAIMS: '{"organization":"org","roles":"scope"}',
    HOLDFAST_ARCHIVE_DIR: '/var/lib/holdfast-archive',
    HOLDFAST_ARCHIVE_KEY: key32,
    HOLDFAST_NODE_ID: 'node-1.a',
    HOLDFAST_NODE_URL: 'https://node-1.internal:8443/',
    HOLDFAST_NODE_SECRET: nodeSecret,
    HOLDFAST_LEASE_MS: '3000',
    HOLDFAST_CELL_IDLE_SECONDS: '0',
    HOLDFAST_WORKERS: '1',
    HOLDFAST_TRUSTED_PROXY: '127.0.0.1,10.0.0.0/8,::1',
    HOLDFAST_TRACES_URL: 'http://127.0.0.1:4318/v1/traces',
    HOLDFAST_LOG_LEVEL: 'debug',
    HOLDFAST_PLAYER_P1_KEY: key32,
  })
  expect(settings).toMatchObject({
    host: '::1',
    port: 0,
    dataDir: '/var/lib/holdfast',
    secretsDir: '/var/lib/holdfast-secrets',
    players: ['A', 'B2'],
    secretsStore: 'vault',
    vaultUrl: 'https://vault.example:8200',
    vaultMount: 'teams/transit',
    kmsRegion: 'eu-central-1',
    kmsEndpoint: 'http://127.0.0.1:4566',
    signers: [
      { code: 'ACME_CUSTODY', url: 'https://a.example/sign', publicKeyUrl: 'https://a.example/keys' },
      { code: 'B2', url: 'http://127.0.0.1:9000', publicKeyUrl: null },
    ],
    clusters: [
      { id: 'CHAIN_MAINNET', endpoints: ['https://a.example/k', 'https://b.example'] },
      { id: 'CHAIN_DEVNET', endpoints: ['http://127.0.0.1:1'] },
      { id: 'CHAIN_DEVNET_1', endpoints: 'embedded', ratePerSecond: 50 },
      {
        id: 'CHAIN_PERMISSIONED',
        endpoints: [
          { url: 'https://a.example/k', weight: 2.5 },
          { url: 'https://b.example', weight: 1 },
          'https://c.example',
        ],
      },
    ],
    embeddedSlotMs: 50,
    embeddedFinalitySlots: 32,
    embeddedFaults: true,
    outboundAllow: [
      { kind: 'host', host: 'hooks.example', port: 8443 },
      { kind: 'host', host: 'fd00::1', port: 443 },
      { kind: 'network', address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { kind: 'network', address: 'fd00::', prefix: 8, family: 'ipv6' },
    ],
    lendingProviders: [
      {
        name: 'ACME_LENDING',
        url: 'https://lend.example/orders',
        bearerFile: '/run/secrets/lend',
        operations: ['CREATE', 'CLOSE'],
        programs: [MEMO],
      },
      {
        name: 'B2',
        url: 'http://10.0.0.5:8000',
        bearerFile: null,
        operations: ['CREATE', 'SWAP', 'REPAY', 'CLOSE'],
        programs: [],
      },
    ],
    feedRefreshSeconds: 60,
    feedStaleSeconds: 120,
    maxFeeLamports: 18_446_744_073_709_551_615n,
    rateLimit: { perSecond: 5, burst: 1 },
    residentTransactions: 7,
    responseWaitMs: 0,
    tlsCertificate: '/etc/tls/chain.pem',
    tlsKey: '/etc/tls/key.pem',
    jwtIssuer: 'https://login.example/realm',
    jwtAudience: 'holdfast',
    jwtKeys: { kind: 'file', path: '/etc/keys.json' },
    jwtAlgorithms: ['ES256', 'RS256'],
    jwtClaims: { organization: 'org', roles: 'scope' },
    archiveDir: '/var/lib/holdfast-archive',
    nodeId: 'node-1.a',
    nodeUrl: 'https://node-1.internal:8443',
    leaseMs: 3_000,
    trustedProxy: [
      { address: '127.0.0.1', prefix: 32, family: 'ipv4' },
      { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
      { address: '::1', prefix: 128, family: 'ipv6' },
    ],
    tracesUrl: 'http://127.0.0.1:4318/v1/traces',
    logLevel: 'debug',
  })
  expect(settings.bootstrapKey?.reveal()).toBe(apiKey)
  expect(settings.masterKey?.reveal()).toEqual(Buffer.alloc(32, 7))
  expect(settings.archiveKey?.reveal()).toEqual(Buffer.alloc(32, 7))
  expect(settings.playerKeys.get('P1')?.reveal()).toEqual(Buffer.alloc(32, 7))
  expect(Object.isFrozen(settings)).toBe(true)
  const printed =
    inspect(settings, { depth: 10, showHidden: true }) + JSON.stringify({ ...settings, maxFeeLamports: null })
  expect(printed).not.toContain(apiKey)
  expect(printed).not.toContain(key32)
  expect(printed).not.toContain(nodeSecret)
})

test.each(BAD_VALUES)('%s=%s is refused by name', (name, value) => {
  const problems = problemsOf({ [name]: value })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(new RegExp(`^${name} `))
})

test('every setting is tested with a bad value', () => {
  const tried = new Set<string>(BAD_VALUES.map(([name]) => name))
  for (const { name } of Object.values(DECLARATIONS)) expect(tried).toContain(name)
})

test('all problems are reported at once', () => {
  expect(problemsOf({ HOLDFAST_PORT: 'x', HOLDFAST_HOST: '', HOLDFAST_PROT: '1' })).toHaveLength(3)
})

test('a setting whose file cannot be read is not also reported as missing', () => {
  const problems = problemsOf({
    HOLDFAST_VAULT_URL: 'https://vault.example',
    HOLDFAST_VAULT_TOKEN_FILE: '/does/not/exist',
  })
  expect(problems).toEqual(['HOLDFAST_VAULT_TOKEN_FILE /does/not/exist cannot be read: ENOENT'])
})

test('an error does not quote a secret', () => {
  const { apiKey } = generateApiKey()
  const secret = 'rpc-provider-key'
  const problems = problemsOf({
    HOLDFAST_BOOTSTRAP_KEY: `${apiKey}x`,
    HOLDFAST_MASTER_KEY: key32.slice(1),
    HOLDFAST_PLAYER_P1_KEY: `${key32}=`,
    HOLDFAST_CLUSTERS: `{"https://rpc.example/?k=${secret}":"CHAIN_MAINNET"}`,
  })
  expect(problems).toHaveLength(4)
  for (const part of [apiKey.slice(16), key32.slice(1, 20), secret]) expect(problems.join('\n')).not.toContain(part)
  const url = `https://rpc.example/${secret}`
  const odd = [[{ url, weight: 0 }], [{ url, key: 1 }], [{ url: `ftp://${secret}` }], [url, { [url]: 1 }]]
  const endpoints = [`ftp://${secret}`, [url, url], ...odd]
  for (const endpoint of endpoints) {
    const messages = problemsOf({ HOLDFAST_CLUSTERS: JSON.stringify({ CHAIN_MAINNET: endpoint }) })
    expect(messages).toHaveLength(1)
    expect(messages.join()).not.toContain(secret)
  }
})

test('any text either parses or is refused with the name of the setting', () => {
  const names = Object.values(DECLARATIONS).map(({ name }) => name)
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.oneof(fc.string(), fc.json()), (name, text) => {
      for (const problem of problemsOf({ [name]: text })) expect(problem.startsWith(`${name} `)).toBe(true)
    }),
  )
})

test('the help lists every setting with its default', () => {
  const text = settingsHelp()
  for (const { name, fallback } of Object.values(DECLARATIONS)) {
    expect(text).toContain(name)
    if (fallback) expect(text).toContain(`${name}  [${fallback}]`)
  }
  expect(text).toContain('HOLDFAST_PLAYER_<CODE>_KEY')
})

test('the bearer token of a lending provider is read from its non-empty file and never printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bearer-'))
  const settingFor = (bearerFile: string | null) => ({
    name: 'ACME',
    url: 'https://a.example',
    bearerFile,
    operations: [],
    programs: [],
  })
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  expect(providerBearer(settingFor(null))).toBe(null)
  const bearer = providerBearer(settingFor(file('good', 'a-word\n')))
  expect(bearer?.reveal()).toBe('a-word')
  expect(inspect(bearer)).not.toContain('a-word')
  for (const path of [join(folder, 'missing'), file('empty', '\n'), file('two', 'a word')]) {
    expect(() => providerBearer(settingFor(path))).toThrow(
      expect.objectContaining({ problems: [expect.stringMatching(/^HOLDFAST_LENDING_PROVIDERS: .* of ACME /)] }),
    )
  }
  rmSync(folder, { recursive: true })
})
