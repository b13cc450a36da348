// Events as the operations see them. Each event is written in the same batch as the change that it reports.
import type { JsonObject } from './call.ts'

/** A committed change of a record, as delivered to clients. */
export interface EventRecord {
  /** UUID; the same for every delivery of the event. */
  readonly id: string
  /** Number of the event within its tenant, from 1, without gaps. */
  readonly sequence: number
  /** `account.created`, `transaction.confirmed`, ... */
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  /** External id of the organization that owns the record. */
  readonly tenantOrganizationId: string
  readonly chainClusterId: string
  readonly resource: { readonly kind: string; readonly onchainId: string | null; readonly offchainId: string }
  /** The changed members, as in the read model. Never signatures, signed bytes or secrets. */
  readonly data: JsonObject
}

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
