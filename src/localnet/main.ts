// The process of the embedded chain: opens its bank, serves JSON-RPC, prints one line of JSON when ready, and exits
// cleanly. Exit codes: 0 stopped as requested; 1 internal error; 65 the ledger is damaged; 69 its ports cannot be used;
// 74 failed ledger write (the disk is behind the engine; start again); 75 the data directory is locked by another
// process; 78 invalid settings.

import { openBank } from './bank.ts'
import { startExport } from './export.ts'
import { GivenError } from './given.ts'
import { startRpcServer } from './rpc/server.ts'
import { readSettings } from './settings.ts'
import type { LocalnetSettings } from './settings.ts'

const EXIT = { clean: 0, fault: 1, damaged: 65, ports: 69, failedWrite: 74, held: 75, settings: 78 } as const
/** An orphan of a killed parent needs a moment to notice that its pipe has closed. */
const LOCK_WAIT_MS = 10_000
const LOCK_RETRY_MS = 100
/** Maximum time of a clean stop. Everything acknowledged is already on disk. */
const CLOSE_WAIT_MS = 5_000

/**
 * Runs the embedded chain in this process until SIGTERM, SIGINT or, with `parentPipe`, the end of stdin. Resolves when
 * it serves. Later errors do not reject: the process ends with the matching exit code.
 */
async function runLocalnet(settings: LocalnetSettings): Promise<void> {
  process.on('uncaughtException', (error) => fail(EXIT.fault, error))
  process.on('unhandledRejection', (error) => fail(EXIT.fault, error))
  const bank = await openWhenFree(settings)
  const server = await startRpcServer({
    bank,
    host: settings.host,
    port: settings.port,
    faults: settings.faults,
    unexpected: (error) => process.stderr.write(`localnet: ${describe(error)}\n`),
  }).catch((error: unknown) => fail(EXIT.ports, (error as Error).message))

  const exporting = await startExport(settings.dataDir, bank).catch((error: unknown) => {
    process.stderr.write(
      `localnet: no backup while it runs, there can be no socket in ${settings.dataDir}: ${(error as Error).message}\n`,
    )
  })

  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(EXIT.clean), CLOSE_WAIT_MS).unref()
    exporting?.close()
    server
      .close()
      .then(() => bank.close())
      .then(
        () => process.exit(EXIT.clean),
        (error: unknown) => fail(EXIT.fault, error),
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (settings.parentPipe) {
    process.stdin.on('end', end).on('close', end).on('error', end).resume()
  }
  const { rpcPort, wsPort } = server
  process.stdout.write(`${JSON.stringify({ ready: true, rpcPort, wsPort, genesisHash: bank.genesisHash })}\n`)
}

async function openWhenFree(settings: LocalnetSettings): ReturnType<typeof openBank> {
  const { dataDir, slotMs, finalitySlots, faults, putsBackTime, aheadMs, given, archiveLine } = settings
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      const fatal = (error: unknown): never => fail(EXIT.failedWrite, error)
      return await openBank({
        dataDir,
        slotMs,
        finalitySlots,
        faults,
        now: () => Date.now() + aheadMs,
        putsBackTime,
        given,
        archiveLine,
        fatal,
      })
    } catch (error) {
      if (error instanceof GivenError) fail(EXIT.settings, error.message)
      const damage = damageIn(error)
      if (damage !== null) fail(EXIT.damaged, `the data are damaged (${damage})`)
      const refusal = causeOf(error, 'LEVEL_IO_ERROR')
      if (refusal !== null)
        fail(EXIT.failedWrite, `${refusal.message}: free space on its disk, or make it writable for this user`)
      if (causeOf(error, 'LEVEL_LOCKED') === null) throw error
      if (Date.now() >= deadline) fail(EXIT.held, new Error(`data directory ${dataDir} is held by another process`))
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
    }
  }
}

// LevelDB reports the reason in the cause of "database failed to open".
function causeOf(error: unknown, code: string): Error | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === code) return cause
  }
  return null
}

/** Message of the damage that an error reports; null: it reports none. */
function damageIn(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes('Corruption: ')) return cause.message
  return null
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function fail(code: number, error: unknown): never {
  process.stderr.write(`localnet: ${describe(error)}\n`)
  process.exit(code)
}

async function main(): Promise<void> {
  let settings: LocalnetSettings
  try {
    settings = readSettings(process.argv[2] ?? '')
  } catch (error) {
    process.stderr.write(`localnet: bad settings: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(EXIT.settings)
  }
  await runLocalnet(settings)
}

main().catch((error: unknown) => fail(EXIT.fault, error))
