// What one tenant has to tell another. A letter is a row of the sender's outbox, written in the batch of the change it tells of; its
// addressee takes it in a commit of its own, all of it or nothing.
import type { Kind } from '../../../machines/kinds.ts'
import type { Entry as BookEntry } from '../../../machines/transaction-record.ts'
import type { Consequence } from '../records/consequences.ts'
import type { Deed } from '../audit/audit-row.ts'
import type { Told } from '../events/domain-events.ts'
import type { Listed } from '../index/listing.ts'

/** What became of a transaction of the sender's that moves something of the addressee's, or that it countersigned. */
export interface OutcomeNotice {
  readonly kind: 'outcome'
  readonly transactionId: string
  readonly messageHash: string
  readonly consequence: Consequence
  /** What it means for the addressee's records, if it did not countersign: then it knows for itself. */
  readonly entries: readonly BookEntry[]
  /** Empty: unknown. */
  readonly signature: string
  /** Where it landed; null: it did not. */
  readonly slot: number | null
  readonly final: boolean
  /** ISO 8601. */
  readonly at: string
  /** What proved that it never landed. JSON. */
  readonly proof: unknown
}

/** All of it is JSON. */
export type Notice =
  | OutcomeNotice
  /** What the directory tells of a record has changed. */
  | { readonly kind: 'listed'; readonly listed: Listed }
  /** An event of the sender's that the addressee's organizations see too. */
  | { readonly kind: 'event'; readonly told: Told }
  /** Somebody of the sender's did something with the addressee's records. */
  | { readonly kind: 'deed'; readonly deed: Deed }
  /** What a record is told for somebody who may; that it would accept was found out before. */
  | { readonly kind: 'order'; readonly record: string; readonly of: Kind; readonly event: { readonly type: string } }
  | { readonly kind: 'new'; readonly of: Kind; readonly cluster: string; readonly id: string; readonly input: unknown }

/** Addressee of what every other process has to know. No tenant is called so. */
export const EVERYBODY = ''

/** As it lies in the outbox. */
export interface Letter {
  readonly to: string
  readonly notices: readonly Notice[]
}

export interface Posted extends Letter {
  readonly sender: string
  /** Counts the letters of a sender, from 1; never given twice. */
  readonly sequence: number
}
