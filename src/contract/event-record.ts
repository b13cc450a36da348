// What the operations know of the journal of events: each is written in the same batch as the change that it tells of.
import type { JsonObject } from './call.ts'

/** A committed change of a record, as clients get it. */
export interface EventRecord {
  /** UUID; the same however often the event is delivered. */
  readonly id: string
  /** Counts the events of a tenant, from 1, without gaps. */
  readonly sequence: number
  /** `account.created`, `transaction.confirmed`, ... */
  readonly type: string
  /** ISO 8601. */
  readonly at: string
  /** External id of the organization that the record belongs to. */
  readonly tenantOrganizationId: string
  readonly chainClusterId: string
  readonly resource: { readonly kind: string; readonly onchainId: string | null; readonly offchainId: string }
  /** What changed, as the read model shows it. Never signatures, bytes or secrets. */
  readonly data: JsonObject
}

export interface EventLog {
  /** Events of a tenant (its root organization) with a sequence above `sequence`, in order, at most `limit`. */
  after(tenant: string, sequence: number, limit: number): Promise<readonly EventRecord[]>
  /** Sequence of the newest durable event of a tenant; 0: none. */
  lastSequence(tenant: string): number
  /** Calls back whenever events of the tenant have become durable. The answer ends that. */
  subscribe(tenant: string, appended: () => void): () => void
}
