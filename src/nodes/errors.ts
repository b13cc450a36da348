// Errors with which a node ends, or gives up a cell.
import { EXIT_CODES } from '../config/exit-codes.ts'
import { isUnreadable } from '../config/unreadable.ts'

export class IdInUse extends Error {
  override readonly name = 'IdInUse'
  readonly exitCode = EXIT_CODES.dataHeld

  constructor(id: string) {
    super(`another node with the id ${id} is alive: set HOLDFAST_NODE_ID, which must differ between nodes`)
  }
}

/** The database has not answered for so long that this node no longer waits for it. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable'
  readonly exitCode = EXIT_CODES.unavailable

  constructor() {
    super('the database does not answer: work of this node that was not acknowledged is left as it is')
  }
}

/** The rows of a cell are damaged, or of a newer release. Everything that was opened for the cell is closed again. */
export class CellUnreadable extends Error {
  override readonly name = 'CellUnreadable'
  readonly exitCode: number

  constructor(cause: Error) {
    super(cause.message, { cause })
    // Another error may have another reason than the rows, and then a new start may succeed.
    this.exitCode = isUnreadable(cause) ? EXIT_CODES.damaged : EXIT_CODES.failedWrite
  }
}

/** The node stops while it waits for the rows of a cell. Nothing is open for the cell. */
export class OpeningStopped extends Error {
  override readonly name = 'OpeningStopped'

  constructor(cause: unknown) {
    super('the node stops, and does not wait for the rows of the cell any more', { cause })
  }
}

/** Another process owns what this process owned. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
  readonly exitCode = EXIT_CODES.fenced
}
