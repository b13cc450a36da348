// Refusals of rights as rows of the audit log: what a caller was not allowed to do, and uses of a known key's id that did not open.
import type { Engine } from '../../engine/engine.ts'
import { apiKeyKey } from '../../engine/index-keys.ts'
import { ofKind } from '../../engine/record.ts'
import { keyIdIn } from '../../keys/api-key.ts'
import type { Caller } from '../call.ts'
import { refusedTo } from './deeds.ts'

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

/** Rows of failures with one key id in a minute: whoever knows an id can fail as often as he likes, but not fill the disk. */
const MOST_FAILURES = 60
const MINUTE_MS = 60_000
const MOST_REMEMBERED = 10_000

export class Refusals {
  readonly #engine: Engine
  readonly #clock: { now(): number }
  readonly #failures = new Map<string, { readonly sinceMs: number; count: number }>()

  constructor(engine: Engine, clock: { now(): number }) {
    this.#engine = engine
    this.#clock = clock
  }

  /** Resolves when it is on disk, or needs no row. */
  async note({ caller, bearer, ...request }: Refused): Promise<void> {
    const who = caller ?? this.#ownerOf(bearer)
    if (who === undefined) return
    await this.#engine.transact((unit) => unit.audit(refusedTo(who, request))).durable
  }

  #ownerOf(bearer: string | undefined): Refused['caller'] {
    const keyId = bearer === undefined ? null : keyIdIn(bearer)
    if (keyId === null) return undefined
    const key = ofKind(this.#engine.directory.first(apiKeyKey(keyId))?.committed, 'apiKey')
    return key === undefined || !this.#counts(keyId) ? undefined : { keyId, tenant: key.tenant }
  }

  #counts(keyId: string): boolean {
    const now = this.#clock.now()
    let failures = this.#failures.get(keyId)
    if (failures === undefined || now - failures.sinceMs >= MINUTE_MS || now < failures.sinceMs) {
      this.#failures.delete(keyId)
      failures = { sinceMs: now, count: 0 }
      this.#failures.set(keyId, failures)
      if (this.#failures.size > MOST_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value as string)
    }
    failures.count += 1
    return failures.count <= MOST_FAILURES
  }
}
