// The command line: `serve` (default), `localnet`, `tour`, `audit verify`, `keys rotate-master`, --help, --version. Reads the settings, runs
// the command, and turns what went wrong into a message and an exit code that a supervisor can act on.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedChain } from './chain/embedded.ts'
import { dataLayout } from './config/data-layout.ts'
import { childEnvironment, readEnvironment } from './config/environment.ts'
import { EXIT_CODES } from './config/exit-codes.ts'
import { helpText } from './config/help.ts'
import { prepareDataDir } from './config/secrets.ts'
import { loadSettings } from './config/settings.ts'
import type { Settings } from './config/settings.ts'
import { createLog } from './telemetry/log.ts'

/** What runs until it is asked to stop. */
interface Running {
  /** The line for stdout. */
  readonly announcement: string
  stop(): Promise<void>
}

async function serve(settings: Settings): Promise<Running> {
  const { startService } = await import('./service.ts')
  const service = await startService(settings)
  return { announcement: `holdfast ready ${service.url}`, stop: () => service.stop() }
}

async function localnet(settings: Settings): Promise<Running> {
  prepareDataDir(settings.dataDir)
  const chain = await startEmbeddedChain({
    host: settings.host,
    port: settings.embeddedRpcPort,
    dataDir: dataLayout(settings.dataDir).chain,
    slotMs: settings.embeddedSlotMs,
    finalitySlots: settings.embeddedFinalitySlots,
    faults: settings.embeddedFaults,
    environment: childEnvironment(),
    log: createLog({ level: settings.logLevel }),
    onFatal: fail,
  })
  return { announcement: `holdfast localnet ready ${chain.rpcUrl} ${chain.wsUrl}`, stop: () => chain.stop() }
}

/** The walk is a program of its own and ends by itself. */
async function tour(settings: Settings): Promise<void> {
  const program = await import('./cli/tour.ts')
  await program.tour(settings)
}

async function audit(settings: Settings, words: readonly string[]): Promise<number> {
  const program = await import('./cli/audit.ts')
  return await program.audit(words, settings.dataDir, (line) => console.log(line))
}

async function rotateMaster(settings: Settings): Promise<void> {
  const program = await import('./cli/rotate-master.ts')
  console.log(await program.rotateMaster(settings, createLog({ level: settings.logLevel })))
  process.exit(EXIT_CODES.done)
}

/** A signal during the start ends it at once (nothing was promised yet); later it drains. npm repeats signals: the first counts. */
async function runUntilSignal(start: () => Promise<Running>): Promise<void> {
  let running: Running | null = null
  let asked = false
  const onSignal = (): void => {
    if (asked) return
    asked = true
    if (running === null) process.exit(EXIT_CODES.done)
    running.stop().then(() => process.exit(EXIT_CODES.done), fail)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  running = await start()
  console.log(running.announcement)
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXIT_CODES.failure
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode
  return error.name === 'StoreLocked' ? EXIT_CODES.dataHeld : EXIT_CODES.failure
}

function fail(error: unknown): never {
  const code = exitCodeOf(error)
  // With a code of its own the message says all there is to know; otherwise somebody has to look for the place.
  const text = error instanceof Error ? (code === EXIT_CODES.failure ? (error.stack ?? error.message) : error.message) : String(error)
  console.error(`holdfast: ${text}`)
  process.exit(code)
}

function version(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }
  return version
}

async function main(words: readonly string[]): Promise<void> {
  const answer = words.includes('--help') ? helpText() : words.includes('--version') ? version() : null
  if (answer !== null) {
    console.log(answer)
    return
  }
  // npm start says `serve` before what it is given.
  const given = words[0] === 'serve' && words.length > 1 ? words.slice(1) : words
  const [command = 'serve', ...rest] = given.join(' ') === 'keys rotate-master' ? ['keys rotate-master'] : given
  const known = ['serve', 'localnet', 'tour', 'keys rotate-master'].includes(command)
  // Commands of their own take words of their own.
  const unknown = command === 'audit' ? undefined : (rest[0] ?? (known ? undefined : command))
  if (unknown !== undefined) {
    console.error(`holdfast: ${unknown} is not understood; --help tells what is`)
    process.exit(EXIT_CODES.usage)
  }
  const settings = loadSettings(readEnvironment())
  if (command === 'audit') {
    process.exitCode = await audit(settings, rest)
    return
  }
  if (command === 'tour') await tour(settings)
  else if (command === 'keys rotate-master') await rotateMaster(settings)
  else await runUntilSignal(() => (command === 'localnet' ? localnet(settings) : serve(settings)))
}

main(process.argv.slice(2)).catch(fail)
