// Runs engines in several threads of one process, to use several cores. Every thread is a node, so cells, forwarding
// and messages between threads work as between machines. If one thread ends, the process ends.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../config/environment.ts'
import { workerFile } from '../config/programs.ts'
import type { Settings } from '../config/settings.ts'
import { nodeIdOf } from '../config/node-settings.ts'
import { threadIds } from './thread-ids.ts'
import type { ThreadSeat } from './threads.ts'

/** Young generation of a thread: three semi-spaces of 64 MB, like `--max-semi-space-size=64` for the first thread. */
const YOUNG_MB = 192

export interface Workers {
  /** Resolves when all threads have handed over their cells and ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** Creates the data that a thread shares with the first. Absent: the threads share a database. */
  readonly seat?: (() => ThreadSeat) | undefined
  /** Called when a thread ended on its own, with its exit code or error. */
  readonly onEnded: (how: number | Error) => void
}

/** The `workerData` of a thread. */
export interface WorkerData {
  readonly environment: Environment
  readonly seat?: ThreadSeat
}

/**
 * Starts all threads except the first, which is this one. Resolves when all have joined. Rejects if one ends before.
 * @param processEnvironment the environment of the process
 */
export async function startWorkers(
  settings: Settings,
  processEnvironment: Environment,
  { seat, onEnded }: WorkerOptions,
): Promise<Workers> {
  let isStopping = false
  const workers = Array.from({ length: settings.workers - 1 }, (_, at) => {
    const own = seat?.()
    const environment = environmentOf(at + 1, settings, processEnvironment)
    const workerData: WorkerData = { environment, ...(own === undefined ? {} : { seat: own }) }
    const transferList = own === undefined ? [] : [own.port]
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB }
    const worker = new Worker(workerFile(), { workerData, transferList, resourceLimits })
    worker.on('error', onEnded)
    worker.on('exit', (code) => {
      if (!isStopping) onEnded(code)
    })
    return worker
  })
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  return {
    async stop() {
      isStopping = true
      await Promise.all(
        workers.map(async (worker) => {
          const ended = once(worker, 'exit')
          worker.postMessage('stop')
          await ended
        }),
      )
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
