// Records refusals for missing rights, and failed uses of an existing key id, in the audit log. For an authenticated
// caller, the first row is on disk before the refusal is answered. Repeats within a minute are counted and written as
// one row, at the end of the minute or when the service stops. Refusals can therefore not fill the disk; a crash
// loses the counts of at most one minute, and no first row.
import type { AuditResource, AuditEntry } from '../../engine/audit/audit-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import { keyIdIn } from '../../keys/api-key.ts'
import type { Caller } from '../../contract/call.ts'
import { refusalEntryOf } from '../context/audit-entries.ts'

export interface AuditedRefusal {
  /** Absent if no caller was authenticated. */
  readonly caller: Pick<Caller, 'keyId' | 'tenant'> | undefined
  /** The bearer value of the request. */
  readonly bearer: string | undefined
  readonly action: string
  readonly requestId: string
  /** Body of the request, as far as it was parsed. */
  readonly body: unknown
}

/** The clock functions used here. */
export interface RefusalClock {
  elapsed(): number
  setTimeout(callback: () => void, delayMs: number): object
  clearTimeout(timer: object): void
  soon(callback: () => void): void
}

/** Equal refusals since the first one. */
interface Fold {
  readonly sinceMs: number
  readonly keyId: string
  /** Resolves when the row of the first one is on disk. */
  readonly first: Promise<void>
  repeats: number
  /** The latest repeat. */
  last: AuditEntry
}

const MINUTE_MS = 60_000
/**
 * Number of resources per key with rows of their own within a minute; refusals of further ones are counted without a
 * resource.
 */
const MAX_FOLDS_PER_KEY = 60
const MAX_FOLDS = 10_000
const UNNAMED: AuditResource = { kind: null, onchainId: null, offchainId: null }

export class Refusals {
  readonly #engine: Engine
  readonly #clock: RefusalClock
  /** In the order in which they began. */
  readonly #folds = new Map<string, Fold>()
  readonly #foldsOfKey = new Map<string, number>()
  #timer: object | null = null

  constructor(engine: Engine, clock: RefusalClock) {
    this.#engine = engine
    this.#clock = clock
  }

  /**
   * Resolves when the first row of its kind is on disk. Without an authenticated caller it resolves at once and the
   * row follows: the response time would otherwise reveal that the key id exists.
   */
  async note({ caller, bearer, ...request }: AuditedRefusal): Promise<void> {
    if (caller !== undefined) {
      await this.#fold(refusalEntryOf(caller, request))
      return
    }
    this.#clock.soon(() => {
      const owner = this.#ownerOf(bearer)
      if (owner !== undefined) this.#fold(refusalEntryOf(owner, request)).catch(() => undefined)
    })
  }

  /** Writes the counts. */
  async stop(): Promise<void> {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
    await this.#end(Infinity)
  }

  #fold(auditEntry: AuditEntry): Promise<void> {
    this.#endBefore()
    return this.#repeat(auditEntry) ?? this.#begin(auditEntry)
  }

  /** null: the refusal is the first of its kind. */
  #repeat(auditEntry: AuditEntry): Promise<void> | null {
    for (const each of [auditEntry, { ...auditEntry, resource: UNNAMED }]) {
      const fold = this.#folds.get(nameOf(each))
      // The unnamed resource counts only once the key has reached the bound of named ones.
      if (fold === undefined || (each !== auditEntry && !this.#isFull(auditEntry.keyId))) continue
      fold.repeats += 1
      fold.last = each
      return fold.first
    }
    return null
  }

  #begin(asked: AuditEntry): Promise<void> {
    const auditEntry = this.#isFull(asked.keyId) ? { ...asked, resource: UNNAMED } : asked
    const first = this.#written([auditEntry])
    const { keyId } = auditEntry
    this.#folds.set(nameOf(auditEntry), { sinceMs: this.#clock.elapsed(), keyId, first, repeats: 0, last: auditEntry })
    this.#foldsOfKey.set(keyId, (this.#foldsOfKey.get(keyId) ?? 0) + 1)
    if (this.#folds.size > MAX_FOLDS)
      this.#write([this.#take(this.#folds.keys().next().value as string)]).catch(() => undefined)
    this.#timer ??= this.#clock.setTimeout(() => this.#turn(), MINUTE_MS)
    return first
  }

  #turn(): void {
    this.#timer = null
    this.#endBefore()
    const oldest = this.#folds.values().next().value
    if (oldest === undefined) return
    this.#timer = this.#clock.setTimeout(
      () => this.#turn(),
      Math.max(1, oldest.sinceMs + MINUTE_MS - this.#clock.elapsed()),
    )
  }

  /** Ends refusals that began at least a minute ago. A failed write ends the process, so it is not retried. */
  #endBefore(): void {
    this.#end(this.#clock.elapsed() - MINUTE_MS).catch(() => undefined)
  }

  /** Ends refusals that began at or before the instant. */
  #end(instantMs: number): Promise<void> {
    const ended: Fold[] = []
    for (const [name, { sinceMs }] of this.#folds) {
      if (sinceMs > instantMs) break
      ended.push(this.#take(name))
    }
    return this.#write(ended)
  }

  #take(name: string): Fold {
    const fold = this.#folds.get(name)!
    this.#folds.delete(name)
    const left = (this.#foldsOfKey.get(fold.keyId) ?? 1) - 1
    if (left === 0) this.#foldsOfKey.delete(fold.keyId)
    else this.#foldsOfKey.set(fold.keyId, left)
    return fold
  }

  async #write(folds: readonly Fold[]): Promise<void> {
    const repeated = folds.filter(({ repeats }) => repeats > 0)
    await this.#written(repeated.map(({ last, repeats }) => ({ ...last, count: repeats })))
  }

  /** For a key of another cell, as messages of a tenant of this one. */
  async #written(auditEntries: readonly AuditEntry[]): Promise<void> {
    const engine = this.#engine
    const writer = auditEntries.find(({ tenant }) => engine.owns(tenant))?.tenant ?? engine.tenants[0]
    if (auditEntries.length === 0 || writer === undefined) return
    await engine.transact((unit) => {
      unit.openFor(writer)
      for (const each of auditEntries) unit.audit(each)
    }).durable
  }

  #isFull(keyId: string): boolean {
    return (this.#foldsOfKey.get(keyId) ?? 0) >= MAX_FOLDS_PER_KEY
  }

  #ownerOf(bearer: string | undefined): AuditedRefusal['caller'] {
    const keyId = bearer === undefined ? null : keyIdIn(bearer)
    if (keyId === null) return undefined
    const key = ofKind(this.#engine.directory.firstOwn(apiKeyKey(keyId))?.committed, 'apiKey')
    return key === undefined ? undefined : { keyId, tenant: key.tenant }
  }
}

function nameOf({ tenant, keyId, action, resource: { kind, onchainId, offchainId } }: AuditEntry): string {
  return JSON.stringify([tenant, keyId, action, kind, onchainId, offchainId])
}
