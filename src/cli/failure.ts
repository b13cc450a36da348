// Prints an error on stderr and ends the process with an exit code for scripts and supervisors.
import { DISK_REMEDY, isDiskFault } from '../config/disk-fault.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { causesOf, isDamage } from '../config/unreadable.ts'

const CODES_BY_NAME: Readonly<Record<string, number>> = {
  StoreLocked: EXIT_CODES.dataHeld,
  BackupRefused: EXIT_CODES.damaged,
  UnknownSchema: EXIT_CODES.damaged,
  UnknownSnapshot: EXIT_CODES.damaged,
}
const WAY_OUT =
  'keep a copy of the directory and restore the newest backup with holdfast restore FILE --data-dir DIR; --archive DIR replays what came after it, ' +
  'until the last acknowledged change, and without an archive that is lost'

const NAMED = 'HOLDFAST_DATA_DIR names the data directory'

/** Message of the error if the path of a store, or of its cells, is a file. */
const NOT_A_DIRECTORY = /^(?:EEXIST|ENOTDIR): .*, (?:mkdir|scandir) '(.+)'$/

export interface Failure {
  readonly code: number
  readonly text: string
}

/** The text to print for an error, and the exit code. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: EXIT_CODES.failure, text: String(error) }
  const chain = causesOf(error)
  const damage = chain.find(isDamage)
  if (damage !== undefined)
    return { code: EXIT_CODES.damaged, text: `the data are damaged (${damage.message}): ${WAY_OUT}` }
  const place = chain.map(({ message }) => NOT_A_DIRECTORY.exec(message)?.[1]).find((path) => path !== undefined)
  if (place !== undefined) {
    const text = `${place} is a file, or lies under one, and must be a directory: move the file, or set HOLDFAST_DATA_DIR; holdfast restore FILE makes a directory from a backup`
    return { code: EXIT_CODES.damaged, text }
  }
  const refused = chain.find(({ name }) => name === 'DiskRefused')
  if (refused !== undefined)
    return { code: EXIT_CODES.failedWrite, text: `${refused.message}: ${DISK_REMEDY}; ${NAMED}` }
  const unwritten = chain.find((one) => 'code' in one && one.code === 'LEVEL_IO_ERROR')
  if (unwritten !== undefined) return { code: EXIT_CODES.failedWrite, text: `${unwritten.message}: ${DISK_REMEDY}` }
  if (!('exitCode' in error) && isDiskFault(error))
    return { code: EXIT_CODES.failedWrite, text: `${error.message}: ${DISK_REMEDY}` }
  const code =
    'exitCode' in error && typeof error.exitCode === 'number'
      ? error.exitCode
      : (CODES_BY_NAME[error.name] ?? EXIT_CODES.failure)
  const known = code !== EXIT_CODES.failure || 'exitCode' in error || 'syscall' in error
  // Known failures, and those of the operating system, need no stack trace: the message is complete.
  return { code, text: known ? error.message : (error.stack ?? error.message) }
}

/** Returns the exit code. */
export function printFailure(error: unknown): number {
  const { code, text } = failureOf(error)
  console.error(`holdfast: ${text}`)
  return code
}

/** Ends the process. */
export function fail(error: unknown): never {
  process.exit(printFailure(error))
}
