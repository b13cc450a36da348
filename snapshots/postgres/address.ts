// The address of the database: `postgres://user@host:port/database?sslmode=verify-full&sslrootcert=FILE`. It must not
// contain a password.

import { readFileSync } from 'node:fs'

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

export interface PostgresAddress {
  /** Host name, IP address, or the directory of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly sslMode: SslMode
  /** Certificates (PEM) to trust instead of those of the system. */
  readonly ca?: string
}

const KNOWN = new Set(['host', 'port', 'user', 'sslmode', 'sslrootcert'])
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/** @throws Error with a message that does not repeat the address, which may contain a password */
export function parseAddress(text: string): PostgresAddress {
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new Error('must begin with postgres://')
  const url = asUrl(text)
  if (url.password !== '') throw new Error('must not hold a password: HOLDFAST_STORE_PASSWORD_FILE names its file')
  for (const name of url.searchParams.keys())
    if (!KNOWN.has(name)) throw new Error(`must not have the parameter ${name}: known are ${[...KNOWN].join(', ')}`)
  const parameter = (name: string): string | undefined => url.searchParams.get(name) ?? undefined
  const host = parameter('host') ?? decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  const user = parameter('user') ?? decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (host === '') throw new Error('must name a host')
  if (user === '') throw new Error('must name a user: postgres://user@host/database')
  if (database === '' || database.includes('/')) throw new Error('must name a database: postgres://user@host/database')
  const ca = parameter('sslrootcert')
  return {
    host,
    port: portOf(parameter('port') ?? url.port),
    user,
    database,
    sslMode: sslModeOf(parameter('sslmode'), host),
    ...(ca === undefined ? {} : { ca: certificates(ca) }),
  }
}

function asUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new Error('must be a URL: postgres://user@host:port/database')
  }
}

function portOf(text: string): number {
  const port = text === '' ? 5432 : Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('must have a port from 1 to 65535')
  return port
}

/** Over a network, the default is to verify the certificate of the server. */
function sslModeOf(text: string | undefined, host: string): SslMode {
  if (text === undefined) return isOnThisMachine(host) ? 'disable' : 'verify-full'
  const known = SSL_MODES.find((mode) => mode === text)
  if (known === undefined) throw new Error(`must have an sslmode of ${SSL_MODES.join(', ')}`)
  return known
}

export const isOnThisMachine = (host: string): boolean => host.startsWith('/') || LOOPBACK.test(host)

function certificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`names an sslrootcert that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`)
  }
}

/** The address for messages, without the user. */
export const addressText = ({ host, port, database }: PostgresAddress): string =>
  `postgres://${host.startsWith('/') ? encodeURIComponent(host) : host}:${String(port)}/${database}`
