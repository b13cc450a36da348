// A PostgreSQL of our own, if one is installed: a cluster in a directory that is removed afterwards, reached by its
// socket.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { totalmem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../../src/config/environment.ts'
import { PostgresConnection } from './connection.ts'

const START_ATTEMPTS = 600
const PLACES = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']
const DEBIAN = '/usr/lib/postgresql'

/** What a process that serves a baseline is told. */
export interface PostgresService {
  /** To listen on. */
  readonly host: string
  readonly socket: string
  readonly user: string
}

export interface Postgres extends AsyncDisposable {
  readonly socket: string
  readonly user: string
  readonly version: string
}

/** Directory of `initdb` and `postgres`; null when they are not installed. */
function installation(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  const path = (childEnvironment()['PATH'] ?? '').split(':')
  return (
    [...path, ...PLACES, ...debian.reverse()].find((dir) =>
      ['initdb', 'postgres'].every((name) => existsSync(join(dir, name))),
    ) ?? null
  )
}

/** null when PostgreSQL is not installed. It refuses to run as root, so then it runs as `postgres` or `nobody`. */
export async function startPostgres(): Promise<Postgres | null> {
  const bin = installation()
  if (bin === null) return null
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-bench-pg-'))
  const who: Partial<Owner> = process.getuid?.() === 0 ? unprivileged() : {}
  if (who.uid !== undefined && who.gid !== undefined) chownSync(dir, who.uid, who.gid)
  const env = childEnvironment()
  const user = 'bench'
  execFileSync(
    join(bin, 'initdb'),
    ['-D', join(dir, 'data'), '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...who,
      env,
      cwd: dir,
      stdio: 'ignore',
    },
  )
  const sharedMb = Math.floor(totalmem() / 4 / 2 ** 20)
  const settings = [
    `shared_buffers=${sharedMb}MB`,
    'work_mem=64MB',
    'maintenance_work_mem=1GB',
    'max_wal_size=8GB',
    'jit=off',
    'listen_addresses=',
  ]
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', join(dir, 'data'), '-k', dir, ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...who,
      env,
      cwd: dir,
      stdio: 'ignore',
    },
  )
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    }
    rmSync(dir, { recursive: true, force: true })
  }
  const socket = join(dir, '.s.PGSQL.5432')
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    try {
      const connection = await PostgresConnection.open(socket, user)
      const [row] = await connection.run('SHOW server_version')
      connection.close()
      return { socket, user, version: row?.[0] ?? 'unknown', [Symbol.asyncDispose]: stop }
    } catch {
      await new Promise((resolve) => void setTimeout(resolve, 50))
    }
  }
  await stop()
  throw new Error('PostgreSQL did not start')
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

function unprivileged(): Owner {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (found === undefined) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}
