// The service in separate processes, started as an operator would, on a data directory that is removed afterwards.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dataLayout } from '../../src/config/data-layout.ts'
import { childEnvironment } from '../../src/config/environment.ts'
import { childOf } from '../measure/process-cpu.ts'
import { freePort, freePortPair } from './ports.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const HOST = '127.0.0.1'
const START_WAIT_MS = 180_000
const STOP_WAIT_MS = 30_000
/** Module that counts the costs of a request, on demand. */
const COUNTING = import.meta.resolve('../profile/counting.ts')
/** High enough not to limit the bench. */
const RATE_LIMIT = '9999999/9999999'

/** The part of a service that the creation of a scene needs. */
export interface Served {
  readonly host: string
  readonly port: number
  /** The first API key, of the system tenant. */
  readonly bootstrapKey: string
}

export interface ServiceProcess extends Served, AsyncDisposable {
  readonly chainRpcUrl: string
  readonly pid: number
  /** 0: the service has no embedded chain. */
  readonly chainPid: number
  /** Stops the process in order, which writes its profile. */
  stop(): Promise<void>
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
}

export interface StartOptions {
  /** The node binary. */
  readonly node: string
  /** Where V8 writes a CPU profile at the end; null: none. */
  readonly profileDir: string | null
  /** Additional settings, by environment variable. */
  readonly settings?: Readonly<Record<string, string>>
  /** A module that is loaded before the service starts. */
  readonly preload?: string
  /** Called with each line of V8's garbage collection trace. Absent: there is no trace. */
  readonly onCollection?: (line: string) => void
}

/**
 * @param kept an existing data directory, which is not removed; absent: a temporary one is created
 */
export async function startService(how: StartOptions, kept?: string): Promise<ServiceProcess> {
  const { node, profileDir, settings = {}, preload = profileDir === null ? undefined : COUNTING, onCollection } = how
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const [port, rpcPort] = [await freePort(HOST), await freePortPair(HOST)]
  const profiling = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, '--cpu-prof-interval=500']
  // As `npm start` does. Modules that inspect the service run it from its sources, to get the names of functions.
  const program = [
    '--v8-pool-size=0',
    '--max-semi-space-size=64',
    ...(onCollection === undefined ? [] : ['--trace-gc']),
    ...(preload === undefined ? ['src/holdfast.mjs'] : ['--import', 'tsx', '--import', preload, 'src/main.ts']),
  ]
  const child = spawn(node, [...profiling, ...program, 'serve'], {
    cwd: ROOT,
    env: {
      ...childEnvironment(),
      HOLDFAST_HOST: HOST,
      HOLDFAST_PORT: String(port),
      HOLDFAST_EMBEDDED_RPC_PORT: String(rpcPort),
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_RATE_LIMIT: RATE_LIMIT,
      HOLDFAST_LOG_LEVEL: 'error',
      ...(profileDir === null ? {} : { BENCH_COUNTS_DIR: profileDir }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    await end(child)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(child, onCollection)
    return {
      host: HOST,
      port,
      chainRpcUrl: `http://${HOST}:${rpcPort}`,
      pid: child.pid!,
      chainPid: settings['HOLDFAST_CLUSTERS'] === undefined ? childOf(child.pid!, 'localnet') : 0,
      bootstrapKey: readFileSync(dataLayout(dataDir).bootstrapKey, 'utf8').trim(),
      stop,
      async kill() {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ready(child: ChildProcess, onCollection?: (line: string) => void): Promise<void> {
  const late = setTimeout(() => child.kill('SIGKILL'), START_WAIT_MS)
  const lines = createInterface({ input: child.stdout! })
  if (onCollection !== undefined) lines.on('line', onCollection)
  const isReady = new Promise<boolean>((resolve) => {
    lines.on('line', (line) => line.startsWith('holdfast ready ') && resolve(true))
    lines.on('close', () => resolve(false))
  })
  if (!(await isReady)) throw new Error('the service ended before it was ready')
  clearTimeout(late)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS)
  await ended
  clearTimeout(late)
}
