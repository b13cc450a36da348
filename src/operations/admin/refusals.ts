// Refusals of rights as rows of the audit log: what a caller was not allowed to do, and uses of a known key's id that did not open.
// The first is on disk before it is answered, of a caller who was let in. Repeats within a minute are counted, and one row says how many there were: at the end of the
// minute, or when the service stops. A caller can be refused as often as he likes, but not fill the disk; a crash loses the counts of one
// minute and no first row.
import type { AuditResource, Deed } from '../../engine/audit/audit-row.ts'
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import { keyIdIn } from '../../keys/api-key.ts'
import type { Caller } from '../../contract/call.ts'
import { refusedTo } from '../context/audit-entries.ts'

export interface Refused {
  /** Absent where nobody was let in. */
  readonly caller: Pick<Caller, 'keyId' | 'tenant'> | undefined
  /** The bearer value that was brought. */
  readonly bearer: string | undefined
  readonly action: string
  readonly requestId: string
  /** The request's, as far as it was understood. */
  readonly body: unknown
}

/** The part of a clock that is needed here. */
export interface RefusalClock {
  elapsed(): number
  setTimeout(callback: () => void, delayMs: number): object
  clearTimeout(timer: object): void
  soon(callback: () => void): void
}

/** Equal refusals from the first one on. */
interface Fold {
  readonly sinceMs: number
  readonly keyId: string
  /** Resolves when the row of the first is on disk. */
  readonly first: Promise<void>
  repeats: number
  /** The latest repeat. */
  last: Deed
}

const MINUTE_MS = 60_000
/** Resources of one key with rows of their own in a minute; refusals of further ones are folded without naming a resource. */
const MOST_OF_A_KEY = 60
const MOST_FOLDS = 10_000
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
   * Resolves when the first of its kind is on disk. Where nobody was let in it resolves at once and the row follows: an answer that waited
   * for a row would tell by its time that the key id is somebody's.
   */
  async note({ caller, bearer, ...request }: Refused): Promise<void> {
    if (caller !== undefined) {
      await this.#fold(refusedTo(caller, request))
      return
    }
    this.#clock.soon(() => {
      const owner = this.#ownerOf(bearer)
      if (owner !== undefined) this.#fold(refusedTo(owner, request)).catch(() => undefined)
    })
  }

  /** Writes what has been counted. */
  async stop(): Promise<void> {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
    await this.#end(Infinity)
  }

  #fold(deed: Deed): Promise<void> {
    this.#endBefore()
    return this.#repeat(deed) ?? this.#begin(deed)
  }

  /** Null: it is the first of its kind. */
  #repeat(deed: Deed): Promise<void> | null {
    for (const each of [deed, { ...deed, resource: UNNAMED }]) {
      const fold = this.#folds.get(nameOf(each))
      // A caller with many resources goes on under no name, but only once they are that many.
      if (fold === undefined || (each !== deed && !this.#isFull(deed.keyId))) continue
      fold.repeats += 1
      fold.last = each
      return fold.first
    }
    return null
  }

  #begin(asked: Deed): Promise<void> {
    const deed = this.#isFull(asked.keyId) ? { ...asked, resource: UNNAMED } : asked
    const first = this.#engine.transact((unit) => unit.audit(deed)).durable
    const { keyId } = deed
    this.#folds.set(nameOf(deed), { sinceMs: this.#clock.elapsed(), keyId, first, repeats: 0, last: deed })
    this.#foldsOfKey.set(keyId, (this.#foldsOfKey.get(keyId) ?? 0) + 1)
    if (this.#folds.size > MOST_FOLDS) this.#write([this.#take(this.#folds.keys().next().value as string)]).catch(() => undefined)
    this.#timer ??= this.#clock.setTimeout(() => this.#turn(), MINUTE_MS)
    return first
  }

  #turn(): void {
    this.#timer = null
    this.#endBefore()
    const oldest = this.#folds.values().next().value
    if (oldest === undefined) return
    this.#timer = this.#clock.setTimeout(() => this.#turn(), Math.max(1, oldest.sinceMs + MINUTE_MS - this.#clock.elapsed()))
  }

  /** What is a minute old is ended. A write that fails ends the process, so nothing here has to try again. */
  #endBefore(): void {
    this.#end(this.#clock.elapsed() - MINUTE_MS).catch(() => undefined)
  }

  /** Ends what began at that instant or before it. */
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
    if (repeated.length === 0) return
    await this.#engine.transact((unit) => {
      for (const { last, repeats } of repeated) unit.audit({ ...last, count: repeats })
    }).durable
  }

  #isFull(keyId: string): boolean {
    return (this.#foldsOfKey.get(keyId) ?? 0) >= MOST_OF_A_KEY
  }

  #ownerOf(bearer: string | undefined): Refused['caller'] {
    const keyId = bearer === undefined ? null : keyIdIn(bearer)
    if (keyId === null) return undefined
    const key = ofKind(this.#engine.directory.first(apiKeyKey(keyId))?.committed, 'apiKey')
    return key === undefined ? undefined : { keyId, tenant: key.tenant }
  }
}

function nameOf({ tenant, keyId, action, resource: { kind, onchainId, offchainId } }: Deed): string {
  return JSON.stringify([tenant, keyId, action, kind, onchainId, offchainId])
}
