// Several nodes as real processes, a chain as a separate process, and a database: started by `npm run cluster`, and
// killed by tests.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startPostgres, type Postgres } from '../../bench/postgres/server.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { builtMain } from '../config/command-line.ts'
import { until as found } from '../crash/until.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const START_MS = 120_000

export interface ClusterProcess {
  readonly name: string
  readonly pid: number
  /** stdout and stderr so far. */
  readonly lines: readonly string[]
  /** Exit code, or the signal that ended it; after its last line. */
  readonly ended: Promise<number | string>
  readonly hasEnded: boolean
  signal(signal: NodeJS.Signals): void
  /** The first line for which `pick` returns a result. Rejects when the process ends before. */
  find<T>(pick: (line: string) => T | undefined): Promise<T>
}

export interface NodeProcess extends ClusterProcess {
  readonly url: string
}

export interface NodeStart {
  /** The node does not check its own lease. */
  readonly isUnchecked?: boolean
  /** The node reads records of other cells again only where it must. */
  readonly isRemembering?: boolean
  /** Settings without their prefix. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface ClusterFixture extends AsyncDisposable {
  readonly postgres: Postgres
  readonly store: string
  readonly rpcUrl: string
  readonly chainPid: number
  /** The setting of all nodes. */
  readonly clusters: string
  readonly apiKey: string
  start(id: string, options?: NodeStart): Promise<NodeProcess>
  /** Does not wait until the node is ready. */
  begin(id: string, options?: NodeStart): ClusterProcess
}

export interface FixtureOptions {
  /** Arguments that run another program than the one as it is installed. */
  readonly program?: readonly string[]
  readonly slotMs?: number
  /** Of the chain; absent: as usual for an outside chain. */
  readonly ratePerSecond?: number
  /** Settings of PostgreSQL, `name=value`. */
  readonly database?: readonly string[]
}

const UNCHECKED = ['--import', 'tsx', 'test/postgres/failover/unchecked-node.ts']
const REMEMBERING = ['--import', 'tsx', 'test/postgres/remembering-node.ts']
const SMALL = ['shared_buffers=64MB', 'jit=off']

/** @param shared settings of all nodes, without their prefix */
export async function openClusterFixture(
  shared: Readonly<Record<string, string>> = {},
  { program = [builtMain()], slotMs = 100, ratePerSecond, database = SMALL }: FixtureOptions = {},
): Promise<ClusterFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cluster-'))
  const processes: Started[] = []
  const end = async (): Promise<void> => {
    for (const { child } of processes) child.kill('SIGCONT')
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  const postgres = await startPostgres({ settings: database })
  if (postgres === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  try {
    const chainProcess = launch('chain', [...program, 'localnet'], {
      DATA_DIR: join(folder, 'chain'),
      EMBEDDED_RPC_PORT: '0',
      EMBEDDED_SLOT_MS: String(slotMs),
    })
    processes.push(chainProcess)
    const rpcUrl = await chainProcess.find((line) => /^holdfast localnet ready (\S+)/.exec(line)?.[1])
    const { apiKey } = generateApiKey()
    const store = `postgres://${postgres.user}@${encodeURIComponent(postgres.dir)}/postgres`
    // Half of the slot time: after a delay the chain opens several slots at once.
    const clusters = JSON.stringify({ CHAIN_DEVNET: { endpoints: rpcUrl, ratePerSecond, minSlotMs: slotMs / 2 } })
    const common = {
      ...{ HOST: '127.0.0.1', PORT: '0', PLAYERS: '', LOG_LEVEL: 'info', RATE_LIMIT: '100000/100000' },
      STORE: store,
      NODE_SECRET: randomBytes(32).toString('hex'),
      MASTER_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_KEY: apiKey,
      SECRETS_DIR: join(folder, 'secrets'),
      CLUSTERS: clusters,
      ...shared,
    }
    const begin: ClusterFixture['begin'] = (id, { isUnchecked = false, isRemembering = false, settings = {} } = {}) => {
      const words = isRemembering ? REMEMBERING : isUnchecked ? UNCHECKED : [...program, 'serve']
      const node = launch(id, words, { ...common, NODE_ID: id, DATA_DIR: join(folder, id), ...settings })
      processes.push(node)
      return node
    }
    return {
      ...{ postgres, store, rpcUrl, chainPid: chainProcess.pid, clusters, apiKey, begin },
      async start(id, options) {
        const node = begin(id, options)
        const url = await node.find((line) => /^holdfast ready (\S+)$/.exec(line)?.[1])
        return Object.assign(node, { url })
      },
      async [Symbol.asyncDispose]() {
        await end()
        await postgres[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await end()
    await postgres[Symbol.asyncDispose]()
    throw error
  }
}

interface Started extends ClusterProcess {
  readonly child: ChildProcess
}

function launch(name: string, words: readonly string[], settings: Readonly<Record<string, string>>): Started {
  const variables = Object.entries(settings).map(([setting, text]) => [`HOLDFAST_${setting}`, text] as const)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...Object.fromEntries(variables) }
  const child = spawn(process.execPath, words, { cwd: ROOT, env })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const listener of listeners) listener()
    })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  return {
    ...{ name, child, lines, ended, pid: child.pid! },
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    signal: (signal) => void child.kill(signal),
    find: <T>(pick: (line: string) => T | undefined) =>
      new Promise<T>((resolve, reject) => {
        const fail = (why: string): void => reject(new Error(`${name} ${why}:\n${lines.join('\n')}`))
        const timer = setTimeout(() => fail('did not say so in time'), START_MS)
        const look = (): void => {
          for (const line of lines) {
            const match = pick(line)
            if (match === undefined) continue
            listeners.delete(look)
            clearTimeout(timer)
            resolve(match)
            return
          }
        }
        listeners.add(look)
        void ended.then((how) => {
          clearTimeout(timer)
          fail(`ended with ${how}`)
        })
        look()
      }),
  }
}

interface Readyz {
  readonly status: string
  readonly checks: Readonly<Record<string, string>>
}

export async function readyz(url: string): Promise<Readyz> {
  return (await (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).json()) as Readyz
}

/** A metric of a node; undefined while it does not answer. */
export async function metricOf(url: string, name: string): Promise<number | undefined> {
  const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(2_000) })
    .then((response) => response.text())
    .catch(() => '')
  const [, value] = new RegExp(`^${name}(?:\\{cell="main"\\})? (\\S+)$`, 'm').exec(text) ?? []
  return value === undefined ? undefined : Number(value)
}

/** A metric of a node that runs; repeats while it does not answer. */
export function sureMetricOf(url: string, name: string): Promise<number> {
  return found(() => metricOf(url, name), `${url} has the metric ${name}`)
}

/** The node that owns the cell and serves it; waits until one does. */
export async function ownerOf(nodes: readonly NodeProcess[], withinMs = 120_000): Promise<NodeProcess> {
  const lastMs = performance.now() + withinMs
  for (;;) {
    for (const node of nodes) {
      if (!node.hasEnded && (await metricOf(node.url, 'holdfast_cell_owner')) === 1) return node
    }
    if (performance.now() > lastMs)
      throw new Error(`no node owns the cell:\n${nodes.map(({ lines }) => lines.slice(-20).join('\n')).join('\n\n')}`)
    await new Promise((resolve) => void setTimeout(resolve, 100))
  }
}
