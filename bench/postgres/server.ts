// Starts a separate PostgreSQL, if it is installed: a cluster in a temporary directory, reached by its socket. For
// benches and tests, which also kill it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { totalmem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../../src/config/environment.ts'
import { PostgresConnection } from './connection.ts'

const START_ATTEMPTS = 2_400
const ATTEMPT_MS = 50
const PLACES = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']
const DEBIAN = '/usr/lib/postgresql'
const USER = 'bench'

/** The settings of a process that serves a baseline. */
export interface PostgresService {
  /** Host to listen on. */
  readonly host: string
  readonly socket: string
  readonly user: string
}

export interface Postgres extends AsyncDisposable {
  /** Directory of the socket. */
  readonly dir: string
  readonly socket: string
  readonly user: string
  readonly version: string
  /** Ends the server like a crash. */
  kill(): Promise<void>
  /** Starts the server again, with other settings if present. */
  restart(settings?: readonly string[]): Promise<void>
}

/** Settings for benches: a quarter of the memory of this machine. */
const LARGE = [
  `shared_buffers=${String(Math.floor(totalmem() / 4 / 2 ** 20))}MB`,
  'work_mem=64MB',
  'maintenance_work_mem=1GB',
  'max_wal_size=8GB',
  'jit=off',
]

/** Directory of `initdb` and `postgres`; null: they are not installed. */
function installation(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  const path = (childEnvironment()['PATH'] ?? '').split(':')
  return (
    [...path, ...PLACES, ...debian.reverse()].find((dir) =>
      ['initdb', 'postgres'].every((name) => existsSync(join(dir, name))),
    ) ?? null
  )
}

export const hasPostgres = (): boolean => installation() !== null

export interface PostgresOptions {
  /** `name=value`; replaces the settings for benches. */
  readonly settings?: readonly string[]
  readonly encoding?: string
  /** Listens on these addresses at the port as well. Absent: on the socket only. */
  readonly network?: { readonly hosts: readonly string[]; readonly port: number }
}

/** null: PostgreSQL is not installed. It refuses to run as root; then it runs as `postgres` or `nobody`. */
export async function startPostgres({
  settings = LARGE,
  encoding = 'UTF8',
  network = { hosts: [], port: 5432 },
}: PostgresOptions = {}): Promise<Postgres | null> {
  const bin = installation()
  if (bin === null) return null
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-pg-'))
  const who: Partial<Owner> = process.getuid?.() === 0 ? unprivileged() : {}
  if (who.uid !== undefined && who.gid !== undefined) chownSync(dir, who.uid, who.gid)
  const place = { bin, dir, who, network }
  const data = ['-D', join(dir, 'data')]
  const cluster = [...data, '-U', USER, '-A', 'trust', '-E', encoding, '--locale=C', '--no-sync']
  execFileSync(join(bin, 'initdb'), cluster, { ...who, env: childEnvironment(), cwd: dir, stdio: 'ignore' })
  let current = settings
  let child = launch(place, current)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const stop = async (): Promise<void> => {
    await end('SIGINT')
    rmSync(dir, { recursive: true, force: true })
  }
  const socket = join(dir, `.s.PGSQL.${String(network.port)}`)
  /** Restarts a server that ended at once: after a crash, processes of the previous one may still hold its memory. */
  const answer = (): Promise<string | null> =>
    answers(socket, () => (hasEnded(child) ? (child = launch(place, current)) : child))
  const version = await answer()
  if (version === null) {
    await stop()
    throw new Error('PostgreSQL did not start')
  }
  return {
    dir,
    socket,
    user: USER,
    version,
    kill: () => end('SIGKILL'),
    async restart(changed) {
      await end('SIGINT')
      current = changed ?? current
      child = launch(place, current)
      if ((await answer()) === null) throw new Error('PostgreSQL did not start again')
    },
    [Symbol.asyncDispose]: stop,
  }
}

interface Place {
  readonly bin: string
  readonly dir: string
  readonly who: Partial<Owner>
  readonly network: NonNullable<PostgresOptions['network']>
}

function launch({ bin, dir, who, network }: Place, settings: readonly string[]): ChildProcess {
  const listening = [`listen_addresses=${network.hosts.join(',')}`, `port=${String(network.port)}`]
  const settingArguments = [...settings, ...listening].flatMap((setting) => ['-c', setting])
  const run = { ...who, env: childEnvironment(), cwd: dir, stdio: 'ignore' as const }
  return spawn(join(bin, 'postgres'), ['-D', join(dir, 'data'), '-k', dir, ...settingArguments], run)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The version of the server when it answers; null: it does not answer. */
async function answers(socket: string, keepUp: () => void): Promise<string | null> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    try {
      const connection = await PostgresConnection.open(socket, USER)
      const [row] = await connection.run('SHOW server_version')
      connection.close()
      return row?.[0] ?? 'unknown'
    } catch {
      await new Promise((resolve) => void setTimeout(resolve, ATTEMPT_MS))
      keepUp()
    }
  }
  return null
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

function unprivileged(): Owner {
  const lines = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const userLine = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody')
  if (userLine === undefined) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
  return { uid: Number(userLine[2]), gid: Number(userLine[3]) }
}
