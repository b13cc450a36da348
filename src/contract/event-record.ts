// The log of events, as the operations see it. Each event is written in the same batch as the change that it reports.
import type { EventRecord } from './schemas/event.ts'

export interface EventLog {
  /** Events of a tenant (its root organization) with a sequence above `sequence`, in order, at most `limit`. */
  after(tenant: string, sequence: number, limit: number): Promise<readonly EventRecord[]>
  /** Sequence of the newest durable event of a tenant; 0: none. */
  lastSequence(tenant: string): number
  /**
   * Calls `appended` whenever events of the tenant have become durable. Returns the function that ends the
   * subscription.
   */
  subscribe(tenant: string, appended: () => void): () => void
}
