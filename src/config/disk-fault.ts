// Files and folders of settings that cannot be used. A full or read-only disk has an exit code of its own: unlike a
// wrong setting, it passes, and a supervisor may start the service again.
import { CodedError } from './coded-error.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { SettingsError } from './settings-error.ts'

/** The remedy for the operator. */
export const DISK_REMEDY = 'free space on its disk, or make it writable for this user'

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])

/** The disk is full, read-only or broken. */
export function isDiskFault(error: unknown): boolean {
  return error instanceof Error && (('code' in error && CODES.has(error.code)) || isDiskFault(error.cause))
}

/** @param what begins with the setting, and ends with what cannot be done */
export function unusable(what: string, error: unknown): Error {
  const problem = `${what}: ${error instanceof Error ? error.message : String(error)}`
  return isDiskFault(error)
    ? new CodedError(`${problem}: ${DISK_REMEDY}`, EXIT_CODES.failedWrite, error)
    : new SettingsError([problem])
}
