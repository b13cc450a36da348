// Request queues to the endpoints, shared by all cells of one process, so that calls of the same turn share a request.
import { RequestQueue, type TransportSettings } from './request-queue.ts'
import type { QueueUse } from './transport.ts'
import { httpWire, type WireSettings } from './wire.ts'

/** Number of connections of a shared queue, as a multiple of those of one cell. */
const MORE_CONNECTIONS = 4

interface SharedQueue {
  readonly queue: RequestQueue
  users: number
}

export class SharedQueues {
  /** By URL. */
  readonly #queues = new Map<string, SharedQueue>()

  /** The settings of the first user apply to all. The last user to close the queue closes its connections. */
  open(settings: WireSettings, limits: TransportSettings): QueueUse {
    const { url } = settings
    let shared = this.#queues.get(url)
    if (shared === undefined) {
      const wire = httpWire({ ...settings, connections: settings.connections * MORE_CONNECTIONS })
      shared = { queue: new RequestQueue(wire, settings.clock, limits), users: 0 }
      this.#queues.set(url, shared)
    }
    const used = shared
    used.users += 1
    return { queue: used.queue, close: () => this.#leave(url, used) }
  }

  async #leave(url: string, shared: SharedQueue): Promise<void> {
    shared.users -= 1
    if (shared.users > 0) return
    this.#queues.delete(url)
    await shared.queue.close()
  }
}
