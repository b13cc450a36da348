// The connections of a service to the database that it shares with other nodes.
import type { Database } from '../../snapshots/postgres/database.ts'
import { CodedError } from './coded-error.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { MASTER_KEY_CHECK, openMasterKey } from './secrets.ts'
import { SettingsError } from './settings-error.ts'
import type { Settings } from './settings.ts'

const WAIT_MS = 30_000

interface DatabaseLog {
  warn(fields: object, message: string): void
}

interface Opening {
  /** How long to wait for the database. */
  readonly waitMs?: number
  /** False: a database without tables is refused (`CodedError`). */
  readonly makes?: boolean
  /** True: nothing is written, so the server may be a standby, and its settings cause no warnings. */
  readonly readsOnly?: boolean
}

/**
 * Connects to the database of the settings, creates its tables if they are absent, and compares what the installation
 * has in common. The driver is loaded here only.
 * @throws SettingsError when the database cannot be used, `CodedError` when it does not answer for `waitMs`
 */
export async function openSharedDatabase(
  settings: Settings,
  log: DatabaseLog,
  { waitMs = WAIT_MS, makes = true, readsOnly = false }: Opening = {},
): Promise<Database> {
  const { store: address, storePassword } = settings
  if (address === 'level') throw new SettingsError([`HOLDFAST_STORE must be a database for this`])
  const { prepareDatabase, readFact } = await import('../../snapshots/postgres/postgres-store.ts')
  try {
    const { database, warnings } = await prepareDatabase({
      address,
      waitMs,
      makes,
      readsOnly,
      ...(storePassword === null ? {} : { password: () => storePassword.reveal() }),
      onNoAnswer: limited((error) => log.warn({ err: error }, 'the database did not answer; it is asked again')),
    })
    for (const warning of readsOnly ? [] : warnings) log.warn({}, warning)
    try {
      if (settings.masterKey !== null)
        openMasterKey(settings, (await readFact(database, MASTER_KEY_CHECK)) as string | undefined)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw ofSettings(error)
  }
}

function ofSettings(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message } = error
  if (name === 'UnfitDatabase' || name === 'UnknownSchema') return new SettingsError([`HOLDFAST_STORE: ${message}`])
  return name === 'DatabaseAway' || name === 'NoTables'
    ? new CodedError(`HOLDFAST_STORE: ${message}`, EXIT_CODES.unavailable, error)
    : error
}

const LOG_EVERY_MS = 5_000

/** Not for every try: they are many. */
function limited(log: (error: Error) => void): (error: Error) => void {
  let lastMs = -Infinity
  return (error) => {
    if (performance.now() - lastMs < LOG_EVERY_MS) return
    lastMs = performance.now()
    log(error)
  }
}
