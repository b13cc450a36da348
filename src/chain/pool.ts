// The endpoints of one cluster. Today the first that is trusted serves everything; weights and failover find their place here.
import { Transport, type TransportSettings } from './transport.ts'
import type { Clock } from './clock.ts'
import { httpWire, type Wire, type WireSettings } from './wire.ts'

export interface Endpoint {
  /** Scheme and host, without credentials. */
  readonly name: string
  readonly transport: Transport
  /** Why it was caught lying; null while it is trusted. A proof is never taken from a distrusted endpoint. */
  readonly distrusted: string | null
}

export interface PoolSettings extends TransportSettings {
  readonly connections: number
  readonly maxResponseBytes: number
}

export class EndpointPool {
  readonly #endpoints: (Endpoint & { distrusted: string | null })[]

  /** Throws on an empty list or a malformed URL. */
  constructor(urls: readonly string[], clock: Clock, settings: PoolSettings, openWire: (wire: WireSettings) => Wire = httpWire) {
    if (urls.length === 0) throw new TypeError('a cluster needs an endpoint')
    this.#endpoints = urls.map((url) => {
      const { connections, maxResponseBytes } = settings
      const transport = new Transport(openWire({ url, clock, connections, maxResponseBytes }), clock, settings)
      return { name: transport.name, transport, distrusted: null }
    })
  }

  get all(): readonly Endpoint[] {
    return this.#endpoints
  }

  /** The endpoint to ask now. A distrusted one is asked only when there is no other. */
  pick(): Endpoint {
    return this.#endpoints.find((endpoint) => endpoint.distrusted === null) ?? this.#endpoints[0]!
  }

  distrust(endpoint: Endpoint, reason: string): void {
    const held = this.#endpoints.find((one) => one === endpoint)
    if (held !== undefined) held.distrusted ??= reason
  }

  async close(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.transport.close()))
  }
}
