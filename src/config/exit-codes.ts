// Exit codes of the process, after BSD's sysexits.h: what an operator's supervisor may act on.

export const EXIT_CODES = {
  /** Stopped as asked, after draining. */
  done: 0,
  /** Anything that has no code of its own. */
  failure: 1,
  /** The command line is not understood. */
  usage: 64,
  /** A file or a data directory is damaged, or not what it must be. */
  damaged: 65,
  /** What is asked for cannot be reached. */
  unavailable: 69,
  /** The place to write to is taken. */
  cannotCreate: 73,
  /** A write to a store failed; a new start recovers from disk. */
  failedWrite: 74,
  /** The data directory is held by another process. */
  dataHeld: 75,
  /** A setting is unknown, malformed or contradicts what is stored. */
  settings: 78,
} as const
