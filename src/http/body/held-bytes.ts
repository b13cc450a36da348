// Limits the memory for long bodies of requests. Those that a node reads before the credentials are checked (it
// forwards them, or they claim to come from another node) have a limit of their own, so that strangers cannot exclude
// the requests that the node serves. Of the latter a tenant may use a share. Short bodies do not count, so that long
// ones cannot exclude ordinary requests.
import type { ServerResponse } from 'node:http'
import { SERVER_CAPS, tenantShareOf } from '../../config/server-caps.ts'
import { tooMany } from '../admission.ts'
import { unavailable } from '../request-forwarder.ts'
import { MAX_BATCH_BYTES } from './read.ts'

/** Bytes of each body that do not count: more than the body of any request except batches. */
const UNCOUNTED_BYTES = 65_536

export class HeldBytes {
  readonly #tenantShare: number
  #held = 0
  readonly #heldOf = new Map<string, number>()

  /** @param tenantShare percent of the limit that a tenant may use, but at least one body */
  constructor(tenantShare = 100) {
    this.#tenantShare = tenantShare
  }

  /**
   * Must be called with the length of each part of a body. Counted bytes are released when the response is closed.
   * Throws 503 `TENANT_UNAVAILABLE` above the limit, 429 `TOO_MANY_OPEN_REQUESTS` above the share of the tenant.
   *
   * @param tenant absent: the sender is not known yet
   */
  meter(res: ServerResponse, tenant?: string): (bytes: number) => void {
    let length = 0
    let counted = 0
    return (bytes) => {
      length += bytes
      const more = Math.max(0, length - UNCOUNTED_BYTES) - counted
      if (more === 0) return
      this.#checkShare(tenant, more)
      if (this.#held + more > SERVER_CAPS.heldBodyBytes)
        throw unavailable(1_000, 'the server holds too many long bodies of requests')
      if (counted === 0) res.once('close', () => this.#add(tenant, -counted))
      counted += more
      this.#add(tenant, more)
    }
  }

  #checkShare(tenant: string | undefined, more: number): void {
    if (tenant === undefined) return
    const share = Math.max(MAX_BATCH_BYTES, tenantShareOf(SERVER_CAPS.heldBodyBytes, this.#tenantShare))
    if ((this.#heldOf.get(tenant) ?? 0) + more > share)
      throw tooMany('TOO_MANY_OPEN_REQUESTS', 'the open requests of this tenant have too many long bodies', 1)
  }

  #add(tenant: string | undefined, bytes: number): void {
    this.#held += bytes
    if (tenant === undefined) return
    const held = (this.#heldOf.get(tenant) ?? 0) + bytes
    if (held > 0) this.#heldOf.set(tenant, held)
    else this.#heldOf.delete(tenant)
  }
}
