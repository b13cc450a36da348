// The service as a real process on a data directory, with the embedded chain as its child process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '@solana/web3.js'
import { atEndOfFile } from '../cleanup.ts'
import { connectionTo } from '../connection.ts'
import { apiOf, type Api } from './api.ts'
import { run, type Program, type ProgramOptions } from './process.ts'

export function newDataDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-crash-'))
  atEndOfFile(() => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return path
}

export interface ChainRun {
  readonly pid: number
  readonly rpcUrl: string
}

export interface Service {
  readonly program: Program
  readonly url: string
  readonly api: Api
  /** The chain as an outside client sees it. */
  readonly connection: Connection
  readonly rpcUrl: string
  /** The newest run of the process of the embedded chain. */
  chain(): ChainRun
  /** SIGKILL to the process of the chain alone; resolves once another one serves. */
  killChain(): Promise<void>
  /** SIGKILL; resolves when the process has ended. Its chain ends by itself. */
  kill(): Promise<void>
  killBoth(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | string>
}

/** Starts the service and waits for its ready line. `rpcUrl`: a chain that is not embedded. */
export async function startService(options: ProgramOptions, rpcUrl?: string): Promise<Service> {
  const program = run(options)
  const url = await program.find((line) => /^holdfast ready (\S+)$/.exec(line)?.[1])
  const key = readFileSync(join(options.dataDir, 'bootstrap.key'), 'utf8').trim()
  const runs = (): ChainRun[] => program.lines.map(chainRunOf).filter((chainRun) => chainRun !== undefined)
  // Written earlier, to the log, which is another pipe than that of the ready line.
  const rpc = rpcUrl ?? (await program.find(chainRunOf)).rpcUrl
  return {
    program,
    url,
    api: apiOf(url, key),
    connection: connectionTo(rpc, { commitment: 'confirmed', disableRetryOnRateLimit: true }),
    rpcUrl: rpc,
    chain: () => runs().at(-1)!,
    async killChain() {
      const lineCount = program.lines.length
      process.kill(runs().at(-1)!.pid, 'SIGKILL')
      await program.find(chainRunOf, lineCount)
    },
    async kill() {
      program.signal('SIGKILL')
      await program.ended
    },
    async killBoth() {
      const { pid } = runs().at(-1)!
      program.signal('SIGKILL')
      process.kill(pid, 'SIGKILL')
      await program.ended
    },
    stop() {
      program.signal('SIGTERM')
      return program.ended
    },
  }
}

function chainRunOf(line: string): ChainRun | undefined {
  if (!line.includes('"embedded chain ready"')) return undefined
  const { pid, rpcPort } = JSON.parse(line) as { pid: number; rpcPort: number }
  return { pid, rpcUrl: `http://127.0.0.1:${rpcPort}` }
}
