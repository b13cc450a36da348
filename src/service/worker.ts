// A thread of the service. It is a separate node and ends with the process.
import { parentPort, workerData } from 'node:worker_threads'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { loadSettings } from '../config/settings.ts'
import { fail } from '../cli/failure.ts'
import { startService } from './service.ts'
import type { WorkerData } from './workers.ts'

async function run(): Promise<void> {
  const { environment, seat } = workerData as WorkerData
  const service = await startService(loadSettings(environment), seat === undefined ? {} : { seat })
  parentPort?.once('message', () => void service.stop().then(() => process.exit(EXIT_CODES.done), fail))
  parentPort?.postMessage(service.url)
}

run().catch(fail)
