// One run of the embedded chain's process, which is started with its settings as an argument and ended by closing its
// stdin. It runs in its own session, so that Ctrl-C in a terminal does not end it before the service has drained.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { PROJECT, argumentsFor } from '../config/programs.ts'

/** The process cannot listen on its ports. */
export const PORTS_EXIT_CODE = 69
/**
 * Exit codes of the process with a meaning for the service: ports, failed write, data directory locked, invalid
 * settings.
 */
const KNOWN_EXIT_CODES: readonly (number | null)[] = [65, PORTS_EXIT_CODE, 74, 75, 78]
const TAIL_LINES = 5

export interface ChainProcessSettings {
  readonly host: string
  /** RPC port, with the websocket on the next; 0: any free ports. */
  readonly port: number
  readonly dataDir: string
  readonly slotMs: number
  readonly finalitySlots: number
  readonly faults: boolean
  /** At this start, sets the time of the chain back to the clock if it is ahead. */
  readonly putsBackTime?: boolean
  /** Milliseconds by which the time of the chain is ahead of the clock. */
  readonly aheadMs?: number
  /** Files of programs, by address, and of accounts (see `src/localnet/given.ts`). */
  readonly given?: {
    readonly programs: readonly { readonly address: string; readonly file: string }[]
    readonly accounts: readonly string[]
  }
  /** The archive of the ledger from now on; empty: none; absent: the one recorded in the ledger. */
  readonly archiveLine?: string
}

export interface ChainReady {
  readonly rpcPort: number
  readonly wsPort: number
  readonly genesisHash: string
}

/** The embedded chain ended or did not start. `exitCode` is the exit code of the service for it. */
export class EmbeddedChainError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'EmbeddedChainError'
    this.exitCode = exitCode
  }
}

export interface ChainProcess {
  readonly pid: number | undefined
  /** Rejects with EmbeddedChainError when the process ends, or `startWaitMs` pass, before it is ready. */
  readonly ready: Promise<ChainReady>
  /** Resolves with the reason when the process has ended; never rejects. */
  readonly ended: Promise<EmbeddedChainError>
  /** Closes the pipe: the process completes its writes and exits. */
  end(): void
  kill(): void
}

function readyOf(line: string): ChainReady | null {
  try {
    const value = JSON.parse(line) as ChainReady & { readonly ready?: unknown }
    return value.ready === true
      ? { rpcPort: value.rpcPort, wsPort: value.wsPort, genesisHash: value.genesisHash }
      : null
  } catch {
    return null
  }
}

/**
 * @param environment environment of the process: contains no keys of the service
 * @param onLine called for every line on stderr, and on stdout except the ready line
 */
export function startChainProcess(
  settings: ChainProcessSettings,
  environment: Record<string, string | undefined>,
  startWaitMs: number,
  onLine: (line: string) => void,
): ChainProcess {
  const argument = JSON.stringify({ ...settings, parentPipe: true })
  const child = spawn(
    process.execPath,
    ['--v8-pool-size=0', '--max-semi-space-size=32', ...argumentsFor('localnet'), argument],
    {
      cwd: PROJECT,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  )
  // Errors on the pipe of a process that has exited are ignored: its exit is reported.
  child.stdin.on('error', () => undefined)

  const tail: string[] = []
  const errors = createInterface({ input: child.stderr })
  errors.on('line', (line) => {
    tail.push(line)
    if (tail.length > TAIL_LINES) tail.shift()
    onLine(line)
  })
  const drained = new Promise<void>((resolve) => errors.once('close', resolve))

  const ended = new Promise<EmbeddedChainError>((resolve) => {
    child.once('error', (error) =>
      resolve(new EmbeddedChainError(`The embedded chain cannot be started: ${error.message}`)),
    )
    child.once('exit', (code, signal) => {
      // The last lines may still be in the pipe; a child of the process could keep it open indefinitely.
      void Promise.race([drained, delay(500, undefined, { ref: false })]).then(() => {
        const how = signal === null ? `with code ${code ?? 'unknown'}` : `by ${signal}`
        const why = tail.length === 0 ? '' : `: ${tail.join(' | ')}`
        resolve(
          new EmbeddedChainError(`The embedded chain ended ${how}${why}`, KNOWN_EXIT_CODES.includes(code) ? code! : 1),
        )
      })
    })
  })

  const serving = new Promise<ChainReady>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readyOf(line)
      if (ready === null) onLine(line)
      else resolve(ready)
    })
  })
  const waiting = new AbortController()
  const late = delay(startWaitMs, null, { signal: waiting.signal, ref: false }).then(
    () => {
      child.kill('SIGKILL')
      throw new EmbeddedChainError(`The embedded chain did not serve within ${startWaitMs} ms`)
    },
    () => serving,
  )
  const ready = Promise.race([serving, late, ended.then((reason) => Promise.reject(reason))]).finally(() =>
    waiting.abort(),
  )
  ready.catch(() => undefined)

  return { pid: child.pid, ready, ended, end: () => void child.stdin.end(), kill: () => void child.kill('SIGKILL') }
}
