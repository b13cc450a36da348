// Every setting of the service, declared once: name, default, meaning, parser. Unknown settings are rejected. Settings
// are read once at the start, are frozen, and contain keys only as `Secret`.
import { ASK_AFTER_MS, SUBSCRIBED_ACCOUNTS, SUBSCRIBED_SIGNATURES } from '../rpc/cluster-settings.ts'
import { clusters } from './clusters.ts'
import type { Environment } from './environment.ts'
import { lendingProviders } from './lending-providers.ts'
import { network, outboundRule } from './networks.ts'
import {
  ascending,
  lamports,
  listenHost,
  listOf,
  oneOf,
  onOrOff,
  rateLimit,
  wholeNumber,
  type Parser,
} from './parse.ts'
import { remoteSigners } from './remote-signers.ts'
import { Secret } from './secret.ts'
import { withSecretFiles } from './secret-files.ts'
import { SERVER_CAPS } from './server-caps.ts'
import { SettingsError } from './settings-error.ts'
import { sharedStoreProblems, storePlace } from './shared-store-settings.ts'
import { claimNames, issuer, keySource, tokenAlgorithms } from './tokens.ts'
import {
  bootstrapKey,
  collector,
  directory,
  filePath,
  nodeId,
  nodeSecret,
  nodeUrl,
  nonEmpty,
  playerCode,
  programFile,
  secretKey32,
  secretText,
  vaultMount,
  vaultUrl,
} from './setting-parsers.ts'
import { declare, optional, secret, type Declaration } from './declaration.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const DECLARATIONS = {
  host: declare('HOST', '127.0.0.1', 'Address to listen on', listenHost),
  port: declare('PORT', '8080', 'Port of the REST service; 0 takes a free one', wholeNumber(0, 65_535)),
  dataDir: declare('DATA_DIR', './data', 'Directory of the stores and key files', directory),
  store: declare(
    'STORE',
    'level',
    'Where records are kept: level, in the data directory, or postgres://user@host:port/database?sslmode=verify-full',
    storePlace,
  ),
  storePassword: secret(optional('STORE_PASSWORD', 'Password of the user of HOLDFAST_STORE', secretText)),
  bootstrapKey: secret(
    optional(
      'BOOTSTRAP_KEY',
      'First API key, of the system tenant; absent: generated at the first start, in <data>/bootstrap.key',
      bootstrapKey,
    ),
  ),
  masterKey: secret(
    optional(
      'MASTER_KEY',
      'Wraps private keys, 32 bytes in base64; absent: generated at the first start, in <data>/master.key',
      secretKey32,
    ),
  ),
  masterKeyNext: secret(
    optional(
      'MASTER_KEY_NEXT',
      'For keys rotate-master: the next master key; absent: generated, if <data>/master.key holds the present one',
      secretKey32,
    ),
  ),
  secretsStore: declare(
    'SECRETS_STORE',
    'folder',
    'Where new keys of location SECRETS are generated: folder, vault (transit engine), aws-kms',
    oneOf(['folder', 'vault', 'aws-kms']),
  ),
  secretsDir: optional(
    'SECRETS_DIR',
    'Folder of the keys of location SECRETS, sealed, one file a key; absent: <data>/secrets',
    directory,
  ),
  vaultUrl: optional('VAULT_URL', 'Vault with a transit engine: https, or http on loopback', vaultUrl),
  vaultToken: secret(optional('VAULT_TOKEN', 'Token that may create keys there, read them and sign', secretText)),
  vaultMount: declare('VAULT_MOUNT', 'transit', 'Path of the transit engine', vaultMount),
  kmsRegion: optional('KMS_REGION', 'Region of AWS KMS; credentials as the AWS library finds them', nonEmpty),
  kmsEndpoint: optional('KMS_ENDPOINT', "Another endpoint of KMS than the region's", vaultUrl),
  players: declare(
    'PLAYERS',
    'P1,P2,P3',
    'Comma-separated codes of the threshold signers, one process each; empty: no threshold keys',
    listOf(playerCode),
  ),
  signers: secret(
    declare(
      'SIGNERS',
      '{}',
      'JSON: code to {"url","publicKeyUrl","secret"}: custodians that keep the keys of location REMOTE',
      remoteSigners,
    ),
  ),
  // Addresses of RPC nodes often contain a key.
  clusters: secret(
    declare(
      'CLUSTERS',
      '{"CHAIN_DEVNET":"embedded"}',
      'JSON: cluster id to "embedded", an RPC URL, or a list of URLs and {"url","weight","websocket"}; the first id is the default',
      clusters,
    ),
  ),
  embeddedRpcHost: declare(
    'EMBEDDED_RPC_HOST',
    '127.0.0.1',
    'Address that the embedded chain listens on; it gives funds to all who ask',
    listenHost,
  ),
  embeddedRpcPort: declare(
    'EMBEDDED_RPC_PORT',
    '8899',
    'RPC port of the embedded chain, websocket on the next; 0: free ones',
    wholeNumber(0, 65_534),
  ),
  embeddedSlotMs: declare(
    'EMBEDDED_SLOT_MS',
    '400',
    'Milliseconds per slot of the embedded chain',
    wholeNumber(1, 3_600_000),
  ),
  embeddedFinalitySlots: declare(
    'EMBEDDED_FINALITY_SLOTS',
    '1',
    'Slots until a block of the embedded chain is final',
    wholeNumber(1, 10_000),
  ),
  embeddedPrograms: declare(
    'EMBEDDED_PROGRAMS',
    '',
    'Comma-separated ADDRESS=FILE: compiled programs that the embedded chain has, replaced at a start when the file changes',
    listOf(programFile),
  ),
  embeddedAccounts: declare(
    'EMBEDDED_ACCOUNTS',
    '',
    'Comma-separated files of accounts (solana account --output json) that the embedded chain makes where there is none',
    listOf(filePath),
  ),
  embeddedFaults: declare(
    'EMBEDDED_FAULTS',
    'off',
    'Fault switches of the embedded chain, for tests only: on or off',
    onOrOff,
  ),
  outboundAllow: declare(
    'OUTBOUND_ALLOW',
    '',
    'Comma-separated host:port or CIDR; empty: public addresses over https only',
    listOf(outboundRule),
  ),
  lendingProviders: declare(
    'LENDING_PROVIDERS',
    '[]',
    'JSON: lending providers beside the built-in protocol, a list of {"name","url","bearerFile","operations","programs"}',
    lendingProviders,
  ),
  feedRefreshSeconds: declare(
    'FEED_REFRESH_SECONDS',
    '0',
    'Seconds between two refreshes of each data source; 0: by request only',
    wholeNumber(0, 31_536_000),
  ),
  feedStaleSeconds: declare(
    'FEED_STALE_SECONDS',
    '3600',
    'Age from which the value of a data source is shown as stale, seconds',
    wholeNumber(1, 31_536_000),
  ),
  subscribedAccounts: declare(
    'SUBSCRIBED_ACCOUNTS',
    String(SUBSCRIBED_ACCOUNTS),
    'Accounts in use whose changes on chain are subscribed to, at most, of each cluster; 0: none',
    wholeNumber(0, 100_000),
  ),
  subscribedSignatures: declare(
    'SUBSCRIBED_SIGNATURES',
    String(SUBSCRIBED_SIGNATURES),
    'Transactions under way whose landing is subscribed to, at most, of each remote cluster; 0: none, statuses are polled',
    wholeNumber(0, 100_000),
  ),
  statusPollsMs: declare(
    'STATUS_POLLS_MS',
    ASK_AFTER_MS.join(','),
    'Comma-separated: first status queries of a transaction on a remote cluster, milliseconds after it was sent; empty: after 1000',
    ascending(listOf(wholeNumber(10, 60_000))),
  ),
  maxFeeLamports: declare('MAX_FEE_LAMPORTS', '10000000', 'Highest fee of one transaction', lamports),
  rateLimit: declare('RATE_LIMIT', '200/400', 'Requests per second and burst, per API key', rateLimit),
  tenantShare: declare(
    'TENANT_SHARE',
    '10',
    `Percent of what the server allows that one tenant may take, at least one each, and at least the rate limit of a key: ${serverCaps()}`,
    wholeNumber(1, 100),
  ),
  residentTransactions: declare(
    'RESIDENT_TRANSACTIONS',
    '100000',
    'Most ended transactions kept in memory (a fifth of it once some were evicted), and other ended records together',
    wholeNumber(0, 100_000_000),
  ),
  responseWaitMs: declare(
    'RESPONSE_WAIT_MS',
    '10000',
    'Longest wait of a request for its commitment, milliseconds',
    wholeNumber(0, 600_000),
  ),
  tlsCertificate: optional(
    'TLS_CERTIFICATE',
    'File of the certificate chain (PEM): the service is then served over https',
    filePath,
  ),
  tlsKey: optional('TLS_KEY', 'File of the key of the certificate (PEM)', filePath),
  jwtIssuer: optional('JWT_ISSUER', 'Issuer (iss) whose access tokens are taken beside API keys', issuer),
  jwtAudience: optional('JWT_AUDIENCE', 'Audience (aud) that its tokens must name', nonEmpty),
  jwtKeys: optional('JWT_KEYS', 'Its public keys (JWKS): a URL or a file; absent: OpenID Connect discovery', keySource),
  jwtAlgorithms: declare('JWT_ALGORITHMS', 'EdDSA,ES256', 'Algorithms that tokens may be signed with', tokenAlgorithms),
  jwtClaims: declare(
    'JWT_CLAIMS',
    '{"organization":"organization","roles":"roles"}',
    'JSON: the claims that hold the external id of the organization, and the roles or bundles',
    claimNames,
  ),
  archiveDir: optional(
    'ARCHIVE_DIR',
    'Folder, best on another disk, of an archive of all changes since a backup: for restores to a point in time',
    directory,
  ),
  archiveKey: secret(
    optional('ARCHIVE_KEY', 'Encrypts the archive, 32 bytes in base64; absent: not encrypted', secretKey32),
  ),
  nodeId: optional('NODE_ID', 'Name of this node among several; absent: the host name', nodeId),
  nodeUrl: optional('NODE_URL', 'URL at which the other nodes reach this one; absent: where it listens', nodeUrl),
  nodeSecret: secret(
    optional('NODE_SECRET', 'Authenticates what nodes forward, the same for all: 32 characters or more', nodeSecret),
  ),
  leaseMs: declare(
    'LEASE_MS',
    '5000',
    'Milliseconds after which a node that does not renew its lease may be replaced',
    wholeNumber(1_000, 60_000),
  ),
  cellIdleSeconds: declare(
    'CELL_IDLE_SECONDS',
    '0',
    'Seconds without a request after which a cell other than main is let go if nothing is under way in it; 0: never',
    wholeNumber(0, 604_800),
  ),
  workers: declare(
    'WORKERS',
    '1',
    'Threads that run engines, each a node of its own on the following port; of use with several cells',
    wholeNumber(1, 64),
  ),
  trustedProxy: declare(
    'TRUSTED_PROXY',
    '',
    'Comma-separated addresses or CIDR of proxies whose X-Forwarded-For counts',
    listOf(network),
  ),
  tracesUrl: optional('TRACES_URL', 'Where traces go: the address of a collector that takes OTLP over HTTP', collector),
  logLevel: declare('LOG_LEVEL', 'info', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS)),
} as const

function serverCaps(): string {
  const { eventStreams, openRequests, requestsPerSecond, requestBurst, outboundRequests } = SERVER_CAPS
  const counts = [
    `${eventStreams} event streams`,
    `${openRequests} open requests`,
    `${outboundRequests} outbound requests`,
  ]
  return [...counts, `${requestsPerSecond}/${requestBurst} requests per second and burst`].join(', ')
}

/** Keys of the threshold signers: one variable per code. */
export const PLAYER_KEY = {
  name: 'HOLDFAST_PLAYER_<CODE>_KEY',
  about:
    'Key of a threshold signer (P1, P2, P3), 32 bytes in base64; absent: generated once, sealed under the master key',
}
const PLAYER_KEY_NAME = /^HOLDFAST_PLAYER_([A-Z0-9]{1,32})_KEY$/

const SECRETS: ReadonlySet<string> = new Set(
  Object.values<Declaration<unknown>>(DECLARATIONS)
    .filter((each) => each.secret === true)
    .map(({ name }) => name),
)

export function isSecretSetting(name: string): boolean {
  return SECRETS.has(name) || PLAYER_KEY_NAME.test(name)
}

type Declared = { readonly [Key in keyof typeof DECLARATIONS]: ReturnType<(typeof DECLARATIONS)[Key]['parse']> }
type Optional =
  | 'archiveDir'
  | 'archiveKey'
  | 'bootstrapKey'
  | 'masterKey'
  | 'masterKeyNext'
  | 'secretsDir'
  | 'storePassword'
  | 'vaultUrl'
  | 'vaultToken'
  | 'kmsRegion'
  | 'kmsEndpoint'
  | 'nodeId'
  | 'nodeUrl'
  | 'nodeSecret'
  | 'tlsCertificate'
  | 'tlsKey'
  | 'tracesUrl'
  | 'jwtIssuer'
  | 'jwtAudience'
  | 'jwtKeys'

/** Settings that require each other. */
const TOGETHER: readonly (readonly [keyof typeof DECLARATIONS, needs: keyof typeof DECLARATIONS])[] = [
  ['tlsCertificate', 'tlsKey'],
  ['tlsKey', 'tlsCertificate'],
  ['jwtIssuer', 'jwtAudience'],
  ['jwtAudience', 'jwtIssuer'],
  ['jwtKeys', 'jwtIssuer'],
  ['vaultUrl', 'vaultToken'],
  ['vaultToken', 'vaultUrl'],
  ['kmsEndpoint', 'kmsRegion'],
]

export type Settings = Omit<Declared, Optional> & { readonly [Key in Optional]: Declared[Key] | null } & {
  /** By code of the threshold signer. */
  readonly playerKeys: ReadonlyMap<string, Secret<Uint8Array>>
  /** For the log of the start. */
  readonly warnings: readonly string[]
}

/**
 * Settings from the environment and from the secret files that it names, with defaults.
 * @throws SettingsError naming every unknown variable, every invalid value and every unreadable file
 */
export function loadSettings(given: Environment): Settings {
  const { environment, givenAs, problems: unread, warnings } = withSecretFiles(given, isSecretSetting)
  const problems = [...unread]
  const attempt = <T>(name: string, parse: Parser<T>, text: string): T | null => {
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${givenAs.get(name) ?? name} ${(error as Error).message}`)
      return null
    }
  }

  const values: Record<string, unknown> = {}
  for (const [key, { name, fallback, parse }] of Object.entries<Declaration<unknown>>(DECLARATIONS)) {
    const text = environment[name] ?? fallback
    values[key] = text === null ? null : attempt(name, parse, text)
  }

  // A value that could not be read or parsed is null: what is missing without it is not missing.
  const faulty = new Set(problems.map((problem) => problem.split(' ')[0]!.replace(/_FILE$/, '')))
  for (const [one, other] of TOGETHER) {
    const [given, needed] = [DECLARATIONS[one].name, DECLARATIONS[other].name]
    const isMissing = environment[needed] === undefined && !faulty.has(needed)
    if (values[one] !== null && isMissing) problems.push(`${given} needs ${needed}`)
  }

  const shared = sharedStoreProblems(values as unknown as Parameters<typeof sharedStoreProblems>[0])
  problems.push(...shared.filter((problem) => !faulty.has(problem.split(' ')[0]!)))

  const known = new Set<string>(Object.values(DECLARATIONS).map(({ name }) => name))
  const playerKeys = new Map<string, Secret<Uint8Array>>()
  for (const [name, text] of Object.entries(environment)) {
    if (text === undefined || known.has(name)) continue
    const code = PLAYER_KEY_NAME.exec(name)?.[1]
    const key = code === undefined ? null : attempt(name, secretKey32, text)
    if (code === undefined) problems.push(`${name} is not a setting; --help lists them all`)
    else if (key !== null) playerKeys.set(code, key)
  }

  if (problems.length > 0) throw new SettingsError(problems)
  return Object.freeze({ ...values, playerKeys, warnings }) as unknown as Settings
}
