// The commands that run until they are stopped: the service, and the embedded chain alone.
import { configuredChain } from '../embedded/configured.ts'
import { startEmbeddedChain } from '../embedded/embedded.ts'
import { childEnvironment, readEnvironment } from '../config/environment.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { prepareDataDir } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import { createLog } from '../telemetry/log.ts'
import { keepBuilt } from '../site/keep-built.ts'
import { fail } from './failure.ts'

interface Running {
  /** The line for stdout. */
  readonly announcement: string
  stop(): Promise<void>
}

export function serve(settings: Settings): Promise<void> {
  return runUntilSignal(async () => {
    const { startService } = await import('../service/service.ts')
    const site = keepBuilt(childEnvironment(), createLog({ level: settings.logLevel }))
    const service = await startService(settings, { site })
    const { startWorkers } = await import('../service/workers.ts')
    const { threads } = service
    const options = { seat: threads?.seat, onEnded: endAs }
    const workers = settings.workers === 1 ? null : await startWorkers(settings, readEnvironment(), options)
    return {
      announcement: `holdfast ready ${service.url}`,
      stop: async () => {
        site.stop()
        await Promise.all([workers?.stop(), service.stop()])
        await threads?.close()
      },
    }
  })
}

/** Ends the process when a thread has ended. */
function endAs(how: number | Error): never {
  if (how instanceof Error) fail(how)
  process.exit(how)
}

export function localnet(settings: Settings): Promise<void> {
  return runUntilSignal(async () => {
    const log = createLog({ level: settings.logLevel })
    for (const warning of [...prepareDataDir(settings.dataDir), ...settings.warnings]) log.warn(warning)
    const chain = await startEmbeddedChain({ ...configuredChain(settings), log, onFatal: fail })
    return { announcement: `holdfast localnet ready ${chain.rpcUrl} ${chain.wsUrl}`, stop: () => chain.stop() }
  })
}

/**
 * A signal during the start ends the process at once (no work was accepted yet); later it drains. npm repeats signals:
 * only the first counts.
 */
async function runUntilSignal(start: () => Promise<Running>): Promise<void> {
  let running: Running | null = null
  let isStopping = false
  const onSignal = (): void => {
    if (isStopping) return
    isStopping = true
    if (running === null) process.exit(EXIT_CODES.done)
    running.stop().then(() => process.exit(EXIT_CODES.done), fail)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  running = await start()
  console.log(running.announcement)
}
