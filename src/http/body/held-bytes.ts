// Limits the memory for bodies of requests: those that a node reads before the credentials are checked (it forwards
// them, or they claim to come from another node), and those of the requests that it serves. Short bodies do not count,
// so that long ones cannot exclude ordinary requests.
import type { ServerResponse } from 'node:http'
import { SERVER_CAPS } from '../../config/server-caps.ts'
import { unavailable } from '../request-forwarder.ts'

/** Bytes of each body that do not count: more than the body of any request except batches. */
const UNCOUNTED_BYTES = 65_536

export class HeldBytes {
  #held = 0

  /**
   * Must be called with the length of each part of a body. Counted bytes are released when the response is closed.
   * Throws 503 `TENANT_UNAVAILABLE` above the limit.
   */
  meter(res: ServerResponse): (bytes: number) => void {
    let length = 0
    let counted = 0
    return (bytes) => {
      length += bytes
      const more = Math.max(0, length - UNCOUNTED_BYTES) - counted
      if (more === 0) return
      if (this.#held + more > SERVER_CAPS.heldBodyBytes)
        throw unavailable(1_000, 'the server holds too many long bodies of requests')
      if (counted === 0) res.once('close', () => (this.#held -= counted))
      counted += more
      this.#held += more
    }
  }
}
