// Queues requests to outside hosts, for each tenant and for the server. Work starts when it has permits for its
// requests, and is refused if it waits too long.
import type { Clock } from '../../../time/clock.ts'
import { Refusal } from '../../../contract/refusal.ts'
import { DeliveryShares } from './delivery-shares.ts'
import { Permits } from './permits.ts'

/** Concurrent deliveries to webhooks, in total and for one tenant. */
const MAX_DELIVERIES = 128
const MAX_DELIVERIES_OF_TENANT = 32
const MAX_WAIT_MS = 15_000
const RETRY_AFTER_SECONDS = 5

export interface OutboundCaps {
  readonly server: number
  readonly tenant: number
}

/** @param parent permits of all outbound requests; null: the total of outbound requests is not limited */
export function deliveryShares(parent: Permits | null): DeliveryShares {
  return new DeliveryShares(new Permits(MAX_DELIVERIES, MAX_DELIVERIES_OF_TENANT, parent))
}

/** One instance for each process, shared by all cells that it has open. */
export class OutboundShares {
  /** Permits for all outbound requests. */
  readonly permits: Permits
  /** The share of these permits that deliveries to webhooks may take. */
  readonly deliveries: DeliveryShares
  readonly #clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>

  constructor({ server, tenant }: OutboundCaps, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
    this.permits = new Permits(server, tenant)
    this.deliveries = deliveryShares(this.permits)
    this.#clock = clock
  }

  /**
   * Runs `work`, which makes at most `requests` requests, and at most `atOnce` of them concurrently. Rejects with 429
   * `OUTBOUND_BUSY` after 15 s without permits, or as `work` rejects.
   */
  async run<T>(tenant: string, requests: number, work: (atOnce: number) => Promise<T>): Promise<T> {
    const atOnce = Math.min(requests, this.permits.widest)
    if (atOnce > 0) await this.#acquire(tenant, atOnce)
    try {
      return await work(atOnce)
    } finally {
      if (atOnce > 0) this.permits.give(tenant, atOnce)
    }
  }

  async #acquire(tenant: string, count: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const attempt = (): void => {
        if (!this.permits.take(tenant, attempt, count)) return
        this.#clock.clearTimeout(late)
        resolve()
      }
      const late = this.#clock.setTimeout(() => {
        this.permits.forget(attempt)
        reject(busy())
      }, MAX_WAIT_MS)
      attempt()
    })
  }
}

function busy(): Refusal {
  const message = 'too many requests to outside hosts are under way for this tenant'
  return new Refusal(429, [{ code: 'OUTBOUND_BUSY', message, retryable: true }], RETRY_AFTER_SECONDS)
}
