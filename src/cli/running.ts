// The commands that run until they are stopped: the service, and the embedded chain alone.
import { configuredChain } from '../embedded/configured.ts'
import { startEmbeddedChain, stopEmbeddedChains } from '../embedded/embedded.ts'
import { childEnvironment, readEnvironment } from '../config/environment.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { prepareDataDir } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import { createLog } from '../telemetry/log.ts'
import { keepBuilt } from '../site/keep-built.ts'
import { fail, printFailure } from './failure.ts'

/**
 * Must be called when the process may have accepted work: from then on, a signal stops it in order. Throws if it is
 * stopping already. `stop` rejects with the first failure.
 */
type OnStoppable = (stop: () => Promise<void>) => void

export function serve(settings: Settings): Promise<void> {
  return runUntilSignal(async (onStoppable) => {
    const [{ startService }, { startWorkers }] = await Promise.all([
      import('../service/service.ts'),
      import('../service/workers.ts'),
    ])
    const site = keepBuilt(childEnvironment(), createLog({ level: settings.logLevel }))
    process.once('exit', () => site.stop())
    const service = await startService(settings, { site })
    const { threads } = service
    const failures: unknown[] = []
    let isStopping = false
    const onFailed = (error: unknown): void => {
      if (!isStopping) fail(error)
      failures.push(error)
    }
    onStoppable(async () => {
      isStopping = true
      await Promise.all([workers.stop(), service.stop().catch(onFailed)])
      await threads?.close().catch(onFailed)
      const [first, ...others] = failures
      for (const error of others) printFailure(error)
      if (failures.length > 0) throw first
    })
    const workers = startWorkers(settings, readEnvironment(), { seat: threads?.seat, onFailed })
    await workers.joined
    return `holdfast ready ${service.url}`
  })
}

export function localnet(settings: Settings): Promise<void> {
  return runUntilSignal(async (onStoppable) => {
    const log = createLog({ level: settings.logLevel })
    for (const warning of [...prepareDataDir(settings.dataDir), ...settings.warnings]) log.warn(warning)
    const chain = await startEmbeddedChain({ ...configuredChain(settings), log, onFatal: fail })
    onStoppable(() => chain.stop())
    return `holdfast localnet ready ${chain.rpcUrl} ${chain.wsUrl}`
  })
}

/**
 * A signal before the process accepts work ends it at once, with its embedded chain; later it drains. npm repeats
 * signals: only the first counts.
 *
 * @param start resolves with the line for stdout
 */
async function runUntilSignal(start: (onStoppable: OnStoppable) => Promise<string>): Promise<void> {
  const state = { isStopping: false, stop: stopEmbeddedChains }
  const onSignal = (): void => {
    if (state.isStopping) return
    state.isStopping = true
    state.stop().then(() => process.exit(EXIT_CODES.done), fail)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  try {
    const announcement = await start((stop) => {
      if (state.isStopping) throw new Error('the process is stopping')
      state.stop = stop
    })
    if (!state.isStopping) console.log(announcement)
  } catch (error) {
    // The start of a process that is stopping may fail because its embedded chain has ended.
    if (!state.isStopping) throw error
  }
}
