// Errors of the database. Each class says whether the statement may have been applied.

import { ReadUnanswered, StoreError } from '../errors.ts'

/**
 * The database did not answer: the statement may or may not have been applied. Every statement of this folder is
 * idempotent and can be retried.
 */
export class NoAnswer extends ReadUnanswered {
  readonly reason: string
  /** SQLSTATE, if the server gave one. */
  readonly code: string | undefined
  /** True if no connection was established, so that nothing was sent. */
  readonly connecting: boolean
  /** True if no connection is possible until an operator changes a password, a name or a certificate. */
  readonly hopeless: boolean

  constructor(
    reason: string,
    {
      code,
      connecting = false,
      hopeless = false,
    }: { code?: string | undefined; connecting?: boolean; hopeless?: boolean } = {},
  ) {
    super(`the database gave no answer: ${reason}`)
    this.reason = reason
    this.code = code
    this.connecting = connecting
    this.hopeless = hopeless
  }
}

/** The server refused the statement, which was not applied. A retry gets the same answer. */
export class StatementRefused extends StoreError {
  readonly code: string
  readonly reason: string

  constructor(code: string, reason: string) {
    super(`the database refused a statement: ${reason} (${code})`)
    this.code = code
    this.reason = reason
  }
}

/** A commit was applied, but not all of its rows were written. */
export class RowsUnwritten extends StoreError {
  constructor(written: number, expected: number) {
    super(`the database wrote ${String(written)} of ${String(expected)} rows of a commit`)
  }
}

/** The database cannot hold a store: `problem` names the setting or version, and what is required. */
export class UnfitDatabase extends StoreError {
  readonly problem: string

  constructor(problem: string) {
    super(`the database cannot be used: ${problem}`)
    this.problem = problem
  }
}

/** The database has no tables, and the caller only reads. */
export class NoTables extends StoreError {
  constructor(place: string) {
    super(`${place} contains no store`)
  }
}

/** The database did not answer within the time that a start waits for it. */
export class DatabaseAway extends StoreError {
  constructor(seconds: number, cause: NoAnswer) {
    super(`the database did not answer for ${String(seconds)} s: ${cause.reason}`, { cause })
  }
}

/**
 * The database no longer has a commit that it acknowledged: a standby without it was promoted, or a backup was
 * restored. The cell must not be written any more.
 */
export class LostHistory extends StoreError {
  /** Exit code of the process: damaged data. */
  readonly exitCode = 65

  /** @param cause why the cells could not be marked. Absent: they are marked */
  constructor(cell: string, detail: string, cause?: Error) {
    const message = `the database has lost commits of cell ${JSON.stringify(cell)} that it had acknowledged: ${detail}`
    super(cause === undefined ? message : `${message}: ${cause.message}`, cause === undefined ? undefined : { cause })
  }
}
