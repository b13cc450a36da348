// Exit codes of the process, after BSD's sysexits.h, for an operator's supervisor.

export const EXIT_CODES = {
  /** Stopped as requested, after draining; or the command succeeded. */
  done: 0,
  /** Any failure without a code of its own. */
  failure: 1,
  /** The command line is invalid. */
  usage: 64,
  /** A file or a data directory is damaged, or not of the expected kind. */
  damaged: 65,
  /** A service, a store or a file that the command needs is unavailable. */
  unavailable: 69,
  /** The output path already exists. */
  cannotCreate: 73,
  /** A write to a store failed; a new start recovers from disk. */
  failedWrite: 74,
  /** The data directory is locked by another process, or nodes run on the database. */
  dataHeld: 75,
  /** Another node owns what this process owned: start it again. */
  fenced: 76,
  /** A setting is unknown, malformed or contradicts what is stored. */
  settings: 78,
} as const
