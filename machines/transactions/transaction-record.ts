// Record of a transaction: the part fixed by its message, its outcome, and the history of states and send attempts.
import type { Approval } from '../approval.ts'
import type { Debit } from '../debit-limits.ts'
import type { AccountRef } from '../holding.ts'
import type { LoanDebits } from '../lending/loan-debits.ts'
import type { Movement, Raw } from '../protocol.ts'

export type TransactionState =
  | 'prepared'
  | 'partiallySigned'
  | 'signed'
  | 'submitted'
  | 'processed'
  | 'confirmed'
  | 'finalized'
  | 'blockchainError'
  | 'nonBlockchainError'
  | 'cancelled'
  | 'expired'

export type TransactionStatus =
  | 'PREPARED'
  | 'PARTIALLY_SIGNED'
  | 'SIGNED'
  | 'SUBMITTED'
  | 'PROCESSED'
  | 'CONFIRMED'
  | 'FINALIZED'
  | 'BLOCKCHAIN_ERROR'
  | 'NON_BLOCKCHAIN_ERROR'
  | 'CANCELLED'
  | 'EXPIRED'

/** State value to the interface's status. */
export const STATUS: Readonly<Record<TransactionState, TransactionStatus>> = {
  prepared: 'PREPARED',
  partiallySigned: 'PARTIALLY_SIGNED',
  signed: 'SIGNED',
  submitted: 'SUBMITTED',
  processed: 'PROCESSED',
  confirmed: 'CONFIRMED',
  finalized: 'FINALIZED',
  blockchainError: 'BLOCKCHAIN_ERROR',
  nonBlockchainError: 'NON_BLOCKCHAIN_ERROR',
  cancelled: 'CANCELLED',
  expired: 'EXPIRED',
}

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** An event for another record, sent when this transaction takes effect. `type` is always `chain.*`. */
export interface RecordEvent {
  readonly type: `chain.${string}`
  readonly [member: string]: unknown
}

export interface Fact {
  /** Sent when the transaction succeeds. */
  readonly event: RecordEvent
  /** Sent when the fork it landed on is dropped. */
  readonly undo: RecordEvent
  /** Sent when it provably never lands, or failed finally. */
  readonly abandon?: RecordEvent
}

/** Effects of the transaction on one record. */
export interface BookEntry {
  readonly tenant: string
  readonly record: string
  /** Applied on success. */
  readonly movements: readonly Movement[]
  /** Applied on failure: releases all reservations, debits only the fee. */
  readonly charge: readonly Movement[]
  readonly facts: readonly Fact[]
  /** Not derived from the message: supplied by the lending adapter. */
  readonly vouched?: true
}

/**
 * Everything the message determines. Never changed after the first signature of this service; before, replaced only as
 * a whole.
 */
export interface TransactionFixed {
  /** Path of the requesting endpoint. */
  readonly endpoint: string
  readonly organization: string
  readonly feePayer: AccountRef
  /** Signature fees and priority fee of the message, lamports. */
  readonly fee: Raw
  readonly accounts: readonly AccountRef[]
  readonly instructions: readonly { readonly type: string; readonly programId: string }[]
  readonly version: 'V0' | 'LEGACY'
  readonly lifetime: 'RECENT_BLOCKHASH' | 'DURABLE_NONCE'
  /** The blockhash, or the nonce value. */
  readonly blockhash: string
  /** Slot at which the blockhash was fetched. */
  readonly blockhashSlot: number
  /** Last block height at which it can land; null with a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonceAccount: AccountRef | null
  /** SHA-256 of the message, hex. */
  readonly messageHash: string
  /** Base64. */
  readonly message: string
  readonly computeUnitsLimit: number | null
  /** Micro-lamports per compute unit. */
  readonly computeUnitPrice: string | null
  /** Required signers, in message order. */
  readonly signers: readonly AccountRef[]
  readonly entries: readonly BookEntry[]
  /** Lamports for accounts whose creating instruction does not state an amount, by address. */
  readonly rents?: Readonly<Record<string, Raw>>
  /**
   * Debits that count against limits of the tenant's records, as classified at the first signature of this service;
   * absent: none.
   */
  readonly debits?: readonly Debit[]
  /**
   * Inputs needed to evaluate debit limits again, besides the message. Absent if nothing more is needed, or if the
   * transaction was signed at once.
   */
  readonly limiting?: {
    /** Addresses whose records were created with the transaction: their rent does not count as a transfer. */
    readonly makes: readonly string[]
    /** Rows of earlier releases: lamports sent there beyond the rent. */
    readonly seeds?: Readonly<Record<string, Raw>>
    /** Owners whose outflows do not count. */
    readonly exempt?: readonly string[]
    readonly loan?: LoanDebits
  }
  /** Other organizations whose keys must sign without a grant; they can see the transaction. */
  readonly waitsFor?: readonly {
    readonly tenant: string
    readonly organization: string
    /** Absent in older records. */
    readonly addresses?: readonly string[]
  }[]
  /** The keys that the lending adapter uses in this message. */
  readonly adapter?: { readonly signs: readonly string[] }
  /** ISO 8601. */
  readonly preparedAt: string
  /** Key id of the API key. */
  readonly requestedBy: string
  /** The client's own reference; absent: none. Not unique. */
  readonly externalReference?: string
  /** References of the items of a batch that it carries; absent: none. */
  readonly itemReferences?: readonly string[]
  /**
   * For each of these items, in the order of the instructions, the place of its reference in `itemReferences`; null: it
   * has none. Absent: each item has a reference of its own, or the record is older.
   */
  readonly referenceOfItem?: readonly (number | null)[]
}

export interface HistoryEntry {
  readonly status: TransactionStatus
  readonly at: string
  readonly detail: string | null
}

export type AttestedOutcome = 'FINALIZED' | 'BLOCKCHAIN_ERROR' | 'EXPIRED'

/**
 * An outcome attested by one administrator's key; the same attestation by a second, distinct key ends the transaction.
 */
export interface Attestation {
  readonly outcome: AttestedOutcome
  readonly evidence: string
  readonly keyId: string
  readonly at: string
}

/** Another tenant that signed with its keys. */
export interface Countersigner {
  readonly tenant: string
  readonly addresses: readonly string[]
  /** ISO 8601, of its first signature. */
  readonly givenAt: string
}

export interface TransactionContext {
  readonly fixed: TransactionFixed
  /** The fee payer's signature, which identifies the transaction on chain; null while unknown. */
  readonly signature: string | null
  /**
   * A signature of this service exists, a signer was asked for one, or none is missing: the transaction may land, and
   * ends only by facts of the chain or by proof.
   */
  readonly ourSignature: boolean
  /** All required signatures exist. */
  readonly complete: boolean
  readonly slot: number | null
  /** Unix seconds. */
  readonly blockTime: number | null
  /** The error of the chain, or the reason why the transaction never reached it. */
  readonly error: string | null
  readonly computeUnitsConsumed: number | null
  /**
   * 0 processed, 1 confirmed, 32 finalized (the lockout depth of a rooted block), unless the cluster reported a number.
   */
  readonly confirmations: number
  /** Number of sends. */
  readonly attempts: number
  readonly lastSentAt: string | null
  /** Other tenants that signed with their keys; absent: none. */
  readonly countersigners?: readonly Countersigner[]
  /**
   * Ids of the records on which nothing is reserved, and whose debits do not count against limits: of other
   * organizations of the tenant whose holders have not signed. Absent: none.
   */
  readonly unreserved?: readonly string[]
  /** Set if the transaction exceeds debit limits and needs approvals; otherwise null. */
  readonly approval: Approval | null
  /** Cancellation was requested when only proof could end the transaction: proof of expiry then makes it CANCELLED. */
  readonly cancelAskedAt: string | null
  /**
   * The first key's attestation of an outcome that nothing can prove; reset to null when the chain reports anything.
   */
  readonly attestation: Attestation | null
  /** States reached and send attempts, in order, at most `HISTORY_LIMIT`. */
  readonly history: readonly HistoryEntry[]
  /** Proof of the expiry or voiding, or the attestations with their evidence. JSON. */
  readonly proof: unknown
  /** Time of the end. */
  readonly finalAt: string | null
}

/** The context of a new transaction. */
export function freshTransaction(fixed: TransactionFixed): TransactionContext {
  return {
    fixed,
    signature: null,
    ourSignature: false,
    complete: false,
    slot: null,
    blockTime: null,
    error: null,
    computeUnitsConsumed: null,
    confirmations: 0,
    attempts: 0,
    lastSentAt: null,
    approval: null,
    cancelAskedAt: null,
    attestation: null,
    history: [{ status: 'PREPARED', at: fixed.preparedAt, detail: null }],
    proof: null,
    finalAt: null,
  }
}

/**
 * True if the transaction may be in flight or on chain: all open states, except those without a signature of this
 * service.
 */
export function mayLand(state: TransactionState, context: TransactionContext): boolean {
  if (state === 'partiallySigned') return context.ourSignature
  return state === 'signed' || state === 'submitted' || state === 'processed' || state === 'confirmed'
}

const SUCCEEDING: ReadonlySet<TransactionState> = new Set<TransactionState>([
  'signed',
  'submitted',
  'processed',
  'confirmed',
  'finalized',
])

/** `success` in the interface's sense: from SIGNED on, unless it ended otherwise or an error was reported. */
export function isSuccess(state: TransactionState, context: TransactionContext): boolean {
  return SUCCEEDING.has(state) && context.error === null
}
