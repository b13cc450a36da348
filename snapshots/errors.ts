// What the store can say went wrong. Only `OutcomeUnknown` leaves a question open; after every other error nothing of the commit was written.

export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/**
 * The store failed while this commit was queued or being written: it may be on disk or not, and only a new start can tell.
 * Every call made after the failure, reads included, answers with it too: a row whose write is in doubt must not look absent.
 */
export class OutcomeUnknown extends StoreError {
  constructor(cause: unknown) {
    super('a write to the store failed; whether it is on disk is known only after a restart', { cause })
  }
}

/** The tenant has a newer owner: this one may no longer write. Nothing of the commit was written. */
export class StaleEpoch extends StoreError {
  readonly tenant: string
  readonly epoch: number
  readonly known: number

  constructor(tenant: string, epoch: number, known: number) {
    super(`tenant ${JSON.stringify(tenant)} is owned under epoch ${known}; a commit under epoch ${epoch} is refused`)
    this.tenant = tenant
    this.epoch = epoch
    this.known = known
  }
}

/** Another transaction already has this message (exactly-once, rule 2). Nothing of the commit was written. */
export class MessageTaken extends StoreError {
  readonly hash: string
  readonly transactionId: string

  constructor(hash: string, transactionId: string) {
    super(`message ${hash} already belongs to transaction ${transactionId}`)
    this.hash = hash
    this.transactionId = transactionId
  }
}

/** A part of a commit holds a row of another tenant, and so would write past that tenant's fence. Nothing was written. */
export class ForeignRow extends StoreError {
  constructor(type: string, tenant: string, part: string) {
    super(`a ${type} row of tenant ${JSON.stringify(tenant)} was handed over in a part of tenant ${JSON.stringify(part)}`)
  }
}

/** Another process, or another handle of this one, holds the database. */
export class StoreLocked extends StoreError {
  readonly path: string

  constructor(path: string, cause: unknown) {
    super(`the store at ${path} is in use by another process; one process at a time may open it`, { cause })
    this.path = path
  }
}

/** The database was laid out by a version of the software this one does not know, or by something else altogether. */
export class UnknownSchema extends StoreError {
  constructor(path: string, found: string, known: number) {
    super(`the store at ${path} has ${found}; this software reads and writes schema version ${known}, and leaves it untouched`)
  }
}

/** A row is there but cannot be read. Never to be mistaken for an absent one. */
export class CorruptRow extends StoreError {
  readonly key: string

  constructor(key: string, cause: unknown) {
    super(`the row at ${key} cannot be read`, { cause })
    this.key = key
  }
}

export class StoreClosed extends StoreError {
  constructor() {
    super('the store is closed')
  }
}
