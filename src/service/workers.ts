// Runs engines in several threads of one process, to use several cores. Every thread is a node, so cells, forwarding
// and messages between threads work as between machines. If one thread ends, the process ends.
import { Worker } from 'node:worker_threads'
import { CodedError } from '../config/coded-error.ts'
import type { Environment } from '../config/environment.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { workerFile } from '../config/programs.ts'
import type { Settings } from '../config/settings.ts'
import { nodeIdOf } from '../config/node-settings.ts'
import { threadIds } from './thread-ids.ts'
import type { ThreadSeat } from './threads.ts'

/** Young generation of a thread: three semi-spaces of 64 MB, like `--max-semi-space-size=64` for the first thread. */
const YOUNG_MB = 192

export interface Workers {
  /** Resolves when all threads have joined. Never resolves if one ends before: `onFailed` is called. */
  readonly joined: Promise<void>
  /**
   * Resolves when all threads have ended, those that have not failed in order: they have handed over their cells. A
   * thread that is starting completes its start before.
   */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** Creates the data that a thread shares with the first. Absent: the threads share a database. */
  readonly seat?: (() => ThreadSeat) | undefined
  /** Called once for each thread that fails, also during `stop`. The error has the exit code of the thread. */
  readonly onFailed: (error: Error) => void
}

/** The `workerData` of a thread. */
export interface WorkerData {
  readonly environment: Environment
  readonly seat?: ThreadSeat
}

/**
 * Starts all threads except the first, which is this one.
 * @param processEnvironment the environment of the process
 */
export function startWorkers(
  settings: Settings,
  processEnvironment: Environment,
  { seat, onFailed }: WorkerOptions,
): Workers {
  const threads = Array.from({ length: settings.workers - 1 }, (_, at) => {
    const own = seat?.()
    const environment = environmentOf(at + 1, settings, processEnvironment)
    const workerData: WorkerData = { environment, ...(own === undefined ? {} : { seat: own }) }
    const transferList = own === undefined ? [] : [own.port]
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB }
    return watch(new Worker(workerFile(), { workerData, transferList, resourceLimits }), at + 2, onFailed)
  })
  return {
    joined: Promise.all(threads.map(({ joined }) => joined)).then(() => undefined),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

/** @param number of the thread, which counts from 1 */
function watch(worker: Worker, number: number, onFailed: (error: Error) => void) {
  let isStopping = false
  let hasFailed = false
  const fail = (error: Error): void => {
    if (!hasFailed) onFailed(error)
    hasFailed = true
  }
  const joined = new Promise<void>((resolve) => void worker.once('message', () => resolve()))
  worker.on('error', fail)
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      // The thread has printed the cause.
      const exitCode = code === EXIT_CODES.done ? EXIT_CODES.failure : code
      if (!isStopping || code !== EXIT_CODES.done)
        fail(new CodedError(`thread ${String(number)} has ended with code ${String(code)}`, exitCode))
      resolve()
    })
  })
  return {
    joined,
    async stop() {
      isStopping = true
      worker.postMessage('stop')
      await ended
    },
  }
}

/** The environment of a thread, with its own node id and port. */
function environmentOf(at: number, settings: Settings, processEnvironment: Environment): Environment {
  const { port, nodeUrl } = settings
  return {
    ...processEnvironment,
    HOLDFAST_WORKERS: '1',
    HOLDFAST_NODE_ID: threadIds(nodeIdOf(settings), at + 1)[at],
    HOLDFAST_PORT: String(port === 0 ? 0 : port + at),
    ...(nodeUrl === null ? {} : { HOLDFAST_NODE_URL: onPort(nodeUrl, at) }),
  }
}

function onPort(text: string, at: number): string {
  const url = new URL(text)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  url.port = String(port + at)
  return url.origin
}
