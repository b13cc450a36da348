// Errors of the store. After `OutcomeUnknown` the commit may or may not be written; after every other error, none of it
// was written.

export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/**
 * The store failed while this commit was queued or being written; only a restart shows whether it is on disk. Every
 * later call fails with this error too, including reads: a row whose write is uncertain must not appear absent.
 */
export class OutcomeUnknown extends StoreError {
  constructor(cause: unknown) {
    super('a write to the store failed; whether it is on disk is known only after a restart', { cause })
  }
}

/** A read got no answer and may succeed later. Nothing was written. Commits never fail with this error. */
export class ReadUnanswered extends StoreError {}

/** The tenants have a newer owner, so this one may no longer write. Nothing of the commit was written. */
export class StaleEpoch extends StoreError {
  readonly epoch: number
  readonly known: number

  constructor(epoch: number, known: number) {
    super(`the tenants are owned under epoch ${known}; a commit under epoch ${epoch} is refused`)
    this.epoch = epoch
    this.known = known
  }
}

/** Another transaction already claimed this message. Nothing of the commit was written. */
export class MessageTaken extends StoreError {
  readonly hash: string
  readonly transactionId: string

  constructor(hash: string, transactionId: string) {
    super(`message ${hash} already belongs to transaction ${transactionId}`)
    this.hash = hash
    this.transactionId = transactionId
  }
}

/** A batch for one tenant contains a row of another, which would bypass that tenant's fence. Nothing was written. */
export class ForeignRow extends StoreError {
  constructor(type: string, tenant: string, part: string) {
    super(
      `a ${type} row of tenant ${JSON.stringify(tenant)} was handed over in a part of tenant ${JSON.stringify(part)}`,
    )
  }
}

/** Another process, or another handle in this process, holds the database. */
export class StoreLocked extends StoreError {
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(`the store at ${path} is in use by another process; one process at a time may open it`, { cause })
    this.path = path
  }
}

/** The system refuses to open the database: its disk is full or read-only, or its files belong to another user. */
export class DiskRefused extends StoreError {
  constructor(path: string, cause: Error) {
    super(`the store at ${path} cannot be opened (${cause.message})`, { cause })
  }
}

/** The layout of the database is unknown to this release: a newer release or other software wrote it. */
export class UnknownSchema extends StoreError {
  constructor(path: string, found: string, known: number) {
    super(
      `the store at ${path} has ${found}; this software reads and writes schema version ${known}, and leaves it untouched`,
    )
  }
}

/** A row exists but cannot be read. Must never be treated as absent. */
export class CorruptRow extends StoreError {
  readonly key: string

  constructor(key: string, cause: unknown) {
    super(`the row at ${key} cannot be read`, { cause })
    this.key = key
  }
}

/** A record of LevelDB's log is unreadable, and further records follow. LevelDB would skip it without an error. */
export class DamagedLog extends StoreError {
  constructor(path: string, offset: number) {
    super(`the log ${path} cannot be read at byte ${offset}`)
  }
}

/** A directory has files of a database, but lacks `CURRENT` or the manifest that `CURRENT` names. */
export class DamagedDirectory extends StoreError {
  constructor(path: string, missing: string) {
    super(`${path} has files of a database, but its file ${missing} is missing`)
  }
}

/** A row is missing although it is always written together with another row that exists. */
export class MissingRow extends StoreError {
  constructor(what: string) {
    super(`${what} is missing`)
  }
}

export class StoreClosed extends StoreError {
  constructor() {
    super('the store is closed')
  }
}
