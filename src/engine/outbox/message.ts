// Messages between tenants. A message is a row of the sender's outbox, written in the batch of the change that causes
// it. The recipient applies it in a commit of its own, completely or not at all.
import type { Kind } from '../../../machines/kinds.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import type { Consequence } from '../records/consequences.ts'
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent } from '../events/domain-events.ts'

/** Outcome of a sender's transaction that moves balances of the recipient, or that the recipient countersigned. */
export interface OutcomeItem {
  readonly kind: 'outcome'
  readonly transactionId: string
  readonly messageHash: string
  readonly consequence: Consequence
  /**
   * Effects on the recipient's records. Ignored if the recipient countersigned: its countersignature holds its own
   * entries.
   */
  readonly entries: readonly BookEntry[]
  /** Empty: unknown. */
  readonly signature: string
  /** Slot of the landing; null: the transaction did not land. */
  readonly slot: number | null
  readonly final: boolean
  /** ISO 8601. */
  readonly at: string
  /** Proof that the transaction never landed. JSON. */
  readonly proof: unknown
  /** It landed with another signature than the one on record. Absent: with that one. */
  readonly wasUnknown?: boolean
}

/** Content of a message. JSON. */
export type MessageItem =
  | OutcomeItem
  /** An event of the sender that organizations of the recipient also see. */
  | { readonly kind: 'event'; readonly told: DomainEvent }
  /** An API key of the sender acted on a record of the recipient. */
  | { readonly kind: 'deed'; readonly deed: AuditEntry }
  /** A request of the recipient took effect with the rows of the sender: its outcome, under its idempotency key. */
  | { readonly kind: 'remembered'; readonly cluster: string; readonly scope: string; readonly row: unknown }
  /**
   * An event for a record of the recipient, from an authorized sender; the sender has checked that the record's machine
   * accepts it.
   */
  | { readonly kind: 'order'; readonly record: string; readonly of: Kind; readonly event: { readonly type: string } }
  | { readonly kind: 'new'; readonly of: Kind; readonly cluster: string; readonly id: string; readonly input: unknown }

/** A message as stored in the outbox. */
export interface TenantMessage {
  readonly to: string
  readonly notices: readonly MessageItem[]
}

export interface NumberedMessage extends TenantMessage {
  readonly sender: string
  /** Number of the message among those of its sender, from 1; never reused. */
  readonly sequence: number
}
