// Connections to a real server over TLS: what each `sslmode` checks.
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Postgres } from '../../../bench/postgres/server.ts'
import { parseAddress } from '../../../snapshots/postgres/address.ts'
import { loadSettings } from '../../../src/config/settings.ts'
import { openSharedDatabase } from '../../../src/config/shared-database.ts'
import { freePorts } from '../../free-ports.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../http/certificate.ts'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { ownPostgres, SETTINGS, sql } from '../postgres.ts'

/** In the certificate. */
const NAMED = '127.0.0.1'
/** Leads to the same server, and is not in the certificate. */
const UNNAMED = '127.0.0.2'
const UNKNOWN_ISSUER = /self-signed certificate/

let postgres: Postgres
let port: number
const file = (name: string): string => join(postgres.dir, name)
const withTls = (): string[] => [
  ...SETTINGS,
  ...['ssl=on', `ssl_cert_file=${file('server.pem')}`, `ssl_key_file=${file('server.key')}`],
]

/** Owned by the user of the server, who alone may read the key. */
function place(name: string, text: string): void {
  writeFileSync(file(name), text, { mode: 0o600 })
  const { uid, gid } = statSync(postgres.dir)
  chownSync(file(name), uid, gid)
}

beforeAll(async () => {
  port = await freePorts(1)
  postgres = await ownPostgres({ network: { hosts: [NAMED, UNNAMED], port } })
  place('server.pem', CERTIFICATE)
  place('server.key', CERTIFICATE_KEY)
  place('another.pem', rootCertificates[0]!)
  await postgres.restart(withTls())
})
afterAll(async () => await postgres[Symbol.asyncDispose]())

interface Connecting {
  readonly mode: string
  readonly host: string
  /** Name of the file with the trusted certificates. Absent: those of the system. */
  readonly root?: string
}

function addressWith({ mode, host, root }: Connecting): string {
  const trusted = root === undefined ? '' : `&sslrootcert=${encodeURIComponent(file(root))}`
  return `postgres://${postgres.user}@${host}:${String(port)}/postgres?sslmode=${mode}${trusted}`
}

/** Opens the database as a service does; returns whether its connections are encrypted. */
async function open(connecting: Connecting): Promise<boolean> {
  const store = addressWith(connecting)
  const settings = loadSettings({
    HOLDFAST_STORE: store,
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HOLDFAST_BOOTSTRAP_KEY: generateApiKey().apiKey,
    HOLDFAST_CLUSTERS: '{"CHAIN_DEVNET":"http://127.0.0.1:8899"}',
    HOLDFAST_PLAYERS: '',
    HOLDFAST_SECRETS_DIR: '/srv/shared',
  })
  const database = await openSharedDatabase(settings, { warn: () => undefined }, { waitMs: 2_000 })
  database.close()
  const [row] = await sql(parseAddress(store), 'SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  return row?.[0] === 'true'
}

describe('a server with a certificate', () => {
  it.each<Connecting>([
    { mode: 'verify-full', host: NAMED, root: 'server.pem' },
    { mode: 'verify-full', host: 'localhost', root: 'server.pem' },
    { mode: 'verify-ca', host: UNNAMED, root: 'server.pem' },
    { mode: 'require', host: NAMED },
    { mode: 'require', host: UNNAMED },
  ])('is used over TLS with $mode at $host', async (connecting) => {
    expect(await open(connecting)).toBe(true)
  })

  it.each<Connecting & { readonly problem: RegExp }>([
    { mode: 'verify-full', host: UNNAMED, root: 'server.pem', problem: /does not match certificate/ },
    { mode: 'verify-full', host: NAMED, root: 'another.pem', problem: UNKNOWN_ISSUER },
    { mode: 'verify-ca', host: NAMED, root: 'another.pem', problem: UNKNOWN_ISSUER },
    { mode: 'verify-full', host: NAMED, problem: UNKNOWN_ISSUER },
    { mode: 'verify-ca', host: NAMED, problem: UNKNOWN_ISSUER },
  ])('is refused at once with $mode at $host if $problem', async ({ problem, ...connecting }) => {
    const refusal = await open(connecting).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ exitCode: 78, message: expect.stringMatching(problem) as unknown })
    expect(String(refusal)).toContain('HOLDFAST_STORE')
  })
})

describe('a server without a certificate', () => {
  beforeAll(async () => await postgres.restart(SETTINGS))
  afterAll(async () => await postgres.restart(withTls()))

  it.each(['require', 'verify-ca', 'verify-full'])('is refused at once with %s', async (mode) => {
    await expect(open({ mode, host: NAMED, root: 'server.pem' })).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/HOLDFAST_STORE.*SSL/s) as unknown,
    })
  })
})
