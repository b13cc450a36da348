// Engines in several threads of one process, for its cores: every thread is a node, so that cells, forwarding and
// messages between threads are those between machines. What ends one of them ends the process.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../config/environment.ts'
import { workerFile } from '../config/programs.ts'
import type { Settings } from '../config/settings.ts'
import { nodeIdOf } from '../config/node-settings.ts'
import { threadIds } from './thread-ids.ts'
import type { ThreadSeat } from './threads.ts'

/** Of the young generation, as `--max-semi-space-size=64` gives the first thread: three halves of it. */
const YOUNG_MB = 192

export interface Workers {
  /** Resolves when all have handed over their cells and ended. */
  stop(): Promise<void>
}

interface WorkerOptions {
  /** For each thread what it shares with the first. Absent: a database has it. */
  readonly seat?: (() => ThreadSeat) | undefined
  /** A thread ended by itself, with this exit code, or by this error. */
  readonly onEnded: (how: number | Error) => void
}

/** What a thread is started with. */
export interface WorkerData {
  readonly environment: Environment
  readonly seat?: ThreadSeat
}

/**
 * Resolves when every thread but the first, which is this one, has joined. Rejects when one ends before.
 * @param given the environment of the process
 */
export async function startWorkers(
  settings: Settings,
  given: Environment,
  { seat, onEnded }: WorkerOptions,
): Promise<Workers> {
  let isStopping = false
  const workers = Array.from({ length: settings.workers - 1 }, (_, at) => {
    const own = seat?.()
    const environment = environmentOf(at + 1, settings, given)
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

/** The settings of the thread: an id and a port of its own. */
export function environmentOf(at: number, settings: Settings, given: Environment): Environment {
  const { port, nodeUrl } = settings
  return {
    ...given,
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
