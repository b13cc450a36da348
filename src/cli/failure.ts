// Prints an error on stderr and ends the process with an exit code for scripts and supervisors.
import { EXIT_CODES } from '../config/exit-codes.ts'

const CODES_BY_NAME: Readonly<Record<string, number>> = {
  StoreLocked: EXIT_CODES.dataHeld,
  BackupRefused: EXIT_CODES.damaged,
  UnknownSchema: EXIT_CODES.damaged,
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXIT_CODES.failure
  if ('exitCode' in error && typeof error.exitCode === 'number') return error.exitCode
  return CODES_BY_NAME[error.name] ?? EXIT_CODES.failure
}

/** Ends the process. */
export function fail(error: unknown): never {
  const code = exitCodeOf(error)
  const known = code !== EXIT_CODES.failure || (error instanceof Error && ('exitCode' in error || 'syscall' in error))
  // Known failures, and those of the operating system, need no stack trace: the message is complete.
  const text = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error)
  console.error(`holdfast: ${text}`)
  process.exit(code)
}
