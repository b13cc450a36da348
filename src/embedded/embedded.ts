// Supervises the process of the embedded chain: starts it, restarts it with the same ports and data when it dies, and
// ends it with the service. If the chain's engine aborts, the service sees an RPC endpoint that is briefly unavailable.
import { setTimeout as delay } from 'node:timers/promises'
import { refuseHalfDirectory } from '../../snapshots/whole-directory.ts'
import { unusable } from '../config/disk-fault.ts'
import { endOrphan, forgetProcess, recordProcess } from './orphan.ts'
import { EmbeddedChainError, PORTS_EXIT_CODE, startChainProcess } from './process.ts'
import type { ChainProcess, ChainProcessSettings, ChainReady } from './process.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
/** After a run of this length, the pauses between restarts begin with the shortest one again. */
const STEADY_MS = 30_000
const STOP_WAIT_MS = 10_000

export interface EmbeddedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EmbeddedChainOptions extends ChainProcessSettings {
  readonly environment: Record<string, string | undefined>
  readonly log: EmbeddedLog
  /**
   * Called at most once, if the chain cannot be restarted: another process locks its directory, or the ledger is a
   * different one.
   */
  readonly onFatal: (error: EmbeddedChainError) => void
  /** Allows for the recovery of a long ledger, and up to 10 s for the lock of an orphaned process. */
  readonly startWaitMs?: number
}

export interface EmbeddedChain {
  /** Unchanged by restarts of the process. */
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly genesisHash: string
  /** Id of the current process; undefined between two runs. */
  pid(): number | undefined
  /** Number of starts, 1 if the process never died. */
  starts(): number
  /** Ends the process and waits for it. May be called repeatedly. */
  stop(): Promise<void>
}

/** The host to connect to, for a server that listens on `host`: an unspecified address is replaced by loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Chains of this process that may have a process of their own. */
const supervised = new Set<SupervisedChain>()

class SupervisedChain implements EmbeddedChain {
  readonly #options: EmbeddedChainOptions
  readonly #stopping = new AbortController()
  #port: number
  #process: ChainProcess | undefined
  #starts = 0
  #ready: ChainReady | undefined
  #stopped: Promise<void> | undefined

  constructor(options: EmbeddedChainOptions) {
    this.#options = options
    this.#port = options.port
  }

  get rpcUrl(): string {
    return `http://${reachable(this.#options.host)}:${this.#ready!.rpcPort}`
  }

  get wsUrl(): string {
    return `ws://${reachable(this.#options.host)}:${this.#ready!.wsPort}`
  }

  get genesisHash(): string {
    return this.#ready!.genesisHash
  }

  pid(): number | undefined {
    return this.#process?.pid
  }

  starts(): number {
    return this.#starts
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#end().finally(() => supervised.delete(this))
    return this.#stopped
  }

  /** @throws EmbeddedChainError if the first run does not become ready */
  async start(): Promise<void> {
    supervised.add(this)
    await endOrphan(this.#options.dataDir, this.#options.log)
    const first = await this.#run().catch((error: unknown) => {
      throw this.#startError(error)
    })
    void this.#supervise(first)
  }

  /** Unusable ports are an invalid setting at the first start; later, they may be free again soon. */
  #startError(error: unknown): unknown {
    if (!(error instanceof EmbeddedChainError) || error.exitCode !== PORTS_EXIT_CODE) return error
    const { host } = this.#options
    const ports = `HOLDFAST_EMBEDDED_RPC_PORT ${this.#port}, or the next one, on HOLDFAST_EMBEDDED_RPC_HOST ${host}`
    return new EmbeddedChainError(`${ports} cannot be used. ${error.message}`, 78)
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #run(): Promise<ChainProcess> {
    const {
      host,
      dataDir,
      slotMs,
      finalitySlots,
      faults,
      putsBackTime,
      aheadMs,
      given,
      archiveLine,
      environment,
      log,
      startWaitMs = 120_000,
    } = this.#options
    const settings = {
      host,
      port: this.#port,
      dataDir,
      slotMs,
      finalitySlots,
      faults,
      ...(aheadMs === undefined ? {} : { aheadMs }),
      ...(given === undefined ? {} : { given }),
      ...(putsBackTime === undefined ? {} : { putsBackTime }),
      ...(archiveLine === undefined ? {} : { archiveLine }),
    }
    const run = startChainProcess(settings, environment, startWaitMs, (line) =>
      log.warn({ source: 'embedded chain', pid: run.pid }, line),
    )
    this.#process = run
    this.#starts += 1
    try {
      recordProcess(dataDir, run.pid)
    } catch (error) {
      run.kill()
      throw unusable(`HOLDFAST_DATA_DIR: ${dataDir} cannot be written`, error)
    }
    void run.ended.then(() => {
      if (this.#process === run) this.#process = undefined
      forgetProcess(dataDir, run.pid)
    })
    const ready = await run.ready
    if (this.#ready !== undefined && ready.genesisHash !== this.#ready.genesisHash) {
      run.kill()
      throw new EmbeddedChainError(`The embedded chain in ${dataDir} came back as another chain`, 78)
    }
    this.#ready = ready
    this.#port = ready.rpcPort
    log.info(
      { pid: run.pid, rpcPort: ready.rpcPort, genesisHash: ready.genesisHash, starts: this.#starts },
      'embedded chain ready',
    )
    return run
  }

  async #supervise(first: ChainProcess): Promise<void> {
    let run: ChainProcess | null = first
    let pauseMs = FIRST_PAUSE_MS
    while (!this.#isStopping()) {
      if (run !== null) {
        const since = performance.now()
        const reason = await run.ended
        if (this.#isStopping()) return
        if (performance.now() - since >= STEADY_MS) pauseMs = FIRST_PAUSE_MS
        this.#options.log.error({ exitCode: reason.exitCode }, `${reason.message}; starting it again`)
      }
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      if (this.#isStopping()) return
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
      run = await this.#runAgain()
    }
  }

  async #runAgain(): Promise<ChainProcess | null> {
    try {
      return await this.#run()
    } catch (error) {
      if (this.#isStopping()) return null
      const reason = error instanceof EmbeddedChainError ? error : new EmbeddedChainError(String(error))
      this.#options.log.error({ exitCode: reason.exitCode }, reason.message)
      if (reason.exitCode === 75 || reason.exitCode === 78) {
        this.#stopping.abort()
        this.#options.onFatal(reason)
      }
      return null
    }
  }

  async #end(): Promise<void> {
    this.#stopping.abort()
    const run = this.#process
    if (run === undefined) return
    run.end()
    const patience = new AbortController()
    const late = delay(STOP_WAIT_MS, 'late', { signal: patience.signal }).catch(() => 'ended')
    if ((await Promise.race([run.ended, late])) === 'late') {
      this.#options.log.warn({ pid: run.pid }, 'the embedded chain does not stop; sending SIGKILL')
      run.kill()
      await run.ended
    }
    patience.abort()
  }
}

/** Ends all embedded chains of this process, also those that are starting, and waits for them. */
export async function stopEmbeddedChains(): Promise<void> {
  await Promise.all([...supervised].map((chain) => chain.stop()))
}

/**
 * @throws DamagedDirectory
 * @throws EmbeddedChainError with exit code 65, 74, 75 or 78 if the process exits with it
 */
export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  refuseHalfDirectory(options.dataDir)
  const chain = new SupervisedChain(options)
  await chain.start()
  return chain
}
