// Errors of a database behind a network. What matters of each is whether the statement may have been applied.

import { ReadUnanswered, StoreError } from '../errors.ts'

/**
 * No answer came: the statement may or may not have been applied. What is asked here is always safe to ask again.
 */
export class NoAnswer extends ReadUnanswered {
  /** SQLSTATE, if the server gave one. */
  readonly code: string | undefined
  /** True if no connection was made, so that nothing was sent. */
  readonly connecting: boolean
  /** True if no connection can be made until an operator changes something: a password, a name, a certificate. */
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
    this.code = code
    this.connecting = connecting
    this.hopeless = hopeless
  }
}

/** The server refused the statement, which was not applied; asking again gives the same answer. */
export class StatementRefused extends StoreError {
  readonly code: string

  constructor(code: string, reason: string) {
    super(`the database refused a statement: ${reason} (${code})`)
    this.code = code
  }
}

/** A commit was applied, but not all of its rows were written. */
export class RowsUnwritten extends StoreError {
  constructor(written: number, expected: number) {
    super(`the database wrote ${String(written)} of ${String(expected)} rows of a commit`)
  }
}

/** The database cannot hold a store: `problem` says which setting or version it is, and what is needed. */
export class UnfitDatabase extends StoreError {
  readonly problem: string

  constructor(problem: string) {
    super(`the database cannot be used: ${problem}`)
    this.problem = problem
  }
}

/** The database did not answer within the time that a start waits for it. */
export class DatabaseAway extends StoreError {
  constructor(seconds: number, cause: NoAnswer) {
    super(`the database did not answer for ${String(seconds)} s: ${cause.message}`, { cause })
  }
}

/**
 * The database no longer has a commit that it acknowledged: a standby without it was promoted, or a backup was
 * restored. Nothing may be written on top of that.
 */
export class LostHistory extends StoreError {
  /** Of the process: damaged data. */
  readonly exitCode = 65

  constructor(cell: string, detail: string) {
    super(`the database has lost commits of cell ${JSON.stringify(cell)} that it had acknowledged: ${detail}`)
  }
}
