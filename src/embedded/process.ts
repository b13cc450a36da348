// One run of the embedded chain's process: started with its settings as an argument, alive while we hold its stdin.
// Its own session keeps a terminal's Ctrl-C from ending it before the service has drained.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { PROJECT, wordsFor } from '../config/programs.ts'

/** Exit codes of the process that mean the same for the service: failed write, data directory held, bad settings. */
const SHARED_EXIT_CODES: readonly (number | null)[] = [74, 75, 78]
const TAIL_LINES = 5

export interface ChainProcessSettings {
  readonly host: string
  /** RPC port, the websocket on the next; 0: free ones. */
  readonly port: number
  readonly dataDir: string
  readonly slotMs: number
  readonly finalitySlots: number
  readonly faults: boolean
  /** The archive that follows its ledger from now on; empty: none; absent: as its ledger says. */
  readonly archiveLine?: string
}

export interface ChainReady {
  readonly rpcPort: number
  readonly wsPort: number
  readonly genesisHash: string
}

/** The embedded chain ended or did not start. `exitCode` is what the service would end with for it. */
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
  /** Rejects with EmbeddedChainError when the process ends, or `startWaitMs` pass, before it serves. */
  readonly ready: Promise<ChainReady>
  /** Resolves with the reason when the process has ended; never rejects. */
  readonly ended: Promise<EmbeddedChainError>
  /** Closes the pipe: the process finishes what it writes and ends. */
  end(): void
  kill(): void
}

function readyOf(line: string): ChainReady | null {
  try {
    const value = JSON.parse(line) as ChainReady & { readonly ready?: unknown }
    return value.ready === true ? { rpcPort: value.rpcPort, wsPort: value.wsPort, genesisHash: value.genesisHash } : null
  } catch {
    return null
  }
}

/**
 * @param environment what the process sees as its environment: no keys of ours
 * @param onLine every line it writes to stderr, and to stdout after the first
 */
export function startChainProcess(
  settings: ChainProcessSettings,
  environment: Record<string, string | undefined>,
  startWaitMs: number,
  onLine: (line: string) => void,
): ChainProcess {
  const argument = JSON.stringify({ ...settings, parentPipe: true })
  const child = spawn(process.execPath, [...wordsFor('localnet'), argument], {
    cwd: PROJECT,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  // Writing to or closing the pipe of a process that is gone is no news: its end is.
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
    child.once('error', (error) => resolve(new EmbeddedChainError(`The embedded chain cannot be started: ${error.message}`)))
    child.once('exit', (code, signal) => {
      // Its last words may still be in the pipe; something it started could hold that open for ever.
      void Promise.race([drained, delay(500, undefined, { ref: false })]).then(() => {
        const how = signal === null ? `with code ${code ?? 'unknown'}` : `by ${signal}`
        const why = tail.length === 0 ? '' : `: ${tail.join(' | ')}`
        resolve(new EmbeddedChainError(`The embedded chain ended ${how}${why}`, SHARED_EXIT_CODES.includes(code) ? code! : 1))
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
  const ready = Promise.race([serving, late, ended.then((reason) => Promise.reject(reason))]).finally(() => waiting.abort())
  ready.catch(() => undefined)

  return { pid: child.pid, ready, ended, end: () => void child.stdin.end(), kill: () => void child.kill('SIGKILL') }
}
