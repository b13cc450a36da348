// What a transaction's record holds: the part fixed by its message, what is known of its fate, and every state and attempt in order.
import type { Approval } from './approval.ts'
import type { Debit } from './debit-limits.ts'
import type { AccountRef } from './holding.ts'
import type { LoanDebits } from './loan-debits.ts'
import type { Movement, Raw } from './protocol.ts'

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

/** State value to the status of the interface. */
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

/** An event of another record, sent to it when this transaction makes it so. `type` is always `chain.*`. */
export interface RecordEvent {
  readonly type: `chain.${string}`
  readonly [member: string]: unknown
}

export interface Fact {
  /** Sent when it lands well. */
  readonly event: RecordEvent
  /** Sent when the fork it landed on dies. */
  readonly undo: RecordEvent
  /** Sent when it provably never lands, or failed finally. */
  readonly abandon?: RecordEvent
}

/** What this transaction means for one record. */
export interface Entry {
  readonly tenant: string
  readonly record: string
  /** Applied when it lands well. */
  readonly movements: readonly Movement[]
  /** Applied when it lands badly: releases everything, debits only the fee. */
  readonly charge: readonly Movement[]
  readonly facts: readonly Fact[]
  /** It does not follow from the message: the lending adapter has put it here. */
  readonly vouched?: true
}

/** Everything the message decides. Never changed after the first signature; before, replaced only as a whole. */
export interface TransactionFixed {
  /** Path of the endpoint that asked for it. */
  readonly endpoint: string
  readonly organization: string
  readonly feePayer: AccountRef
  /** Signatures and priority fee of the message, lamports. */
  readonly fee: Raw
  readonly accounts: readonly AccountRef[]
  readonly instructions: readonly { readonly type: string; readonly programId: string }[]
  readonly version: 'V0' | 'LEGACY'
  readonly lifetime: 'RECENT_BLOCKHASH' | 'DURABLE_NONCE'
  /** The blockhash, or the nonce's value. */
  readonly blockhash: string
  /** Slot the blockhash was taken at. */
  readonly blockhashSlot: number
  /** Last block height it can land at; null under a durable nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonceAccount: AccountRef | null
  /** SHA-256 of the message, hex. */
  readonly messageHash: string
  /** Base64. */
  readonly message: string
  readonly computeUnitsLimit: number | null
  /** Micro-lamports per compute unit. */
  readonly computeUnitPrice: string | null
  /** Required signatures in message order. */
  readonly signers: readonly AccountRef[]
  readonly entries: readonly Entry[]
  /** Lamports that go into accounts whose creating instruction does not say how many, by address. */
  readonly rents?: Readonly<Record<string, Raw>>
  /** What counts against debit limits of the tenant's records, as classed when our first signature was given; absent: nothing. */
  readonly debits?: readonly Debit[]
  /** What judging debit limits again needs besides the message; absent where it needs nothing more, or was signed at once. */
  readonly limiting?: {
    /** Addresses whose records were made along with it: their rent is not limited like a transfer. */
    readonly makes: readonly string[]
    /** Rows of earlier releases: lamports that go there beyond the rent. */
    readonly seeds?: Readonly<Record<string, Raw>>
    /** Owners whose outflows do not count. */
    readonly exempt?: readonly string[]
    readonly loan?: LoanDebits
  }
  /** Organizations besides its own that are asked for signatures of their keys, without a grant: it is theirs to see. */
  readonly waitsFor?: readonly {
    readonly tenant: string
    readonly organization: string
    /** Absent in older records. */
    readonly addresses?: readonly string[]
  }[]
  /** Whose keys the lending adapter uses in this message. */
  readonly adapter?: { readonly signs: readonly string[] }
  /** ISO 8601. */
  readonly preparedAt: string
  /** Key id of the API key. */
  readonly requestedBy: string
  /** The client's own reference of it; absent: none. Not unique. */
  readonly externalReference?: string
}

export interface HistoryEntry {
  readonly status: TransactionStatus
  readonly at: string
  readonly detail: string | null
}

export type AttestedOutcome = 'FINALIZED' | 'BLOCKCHAIN_ERROR' | 'EXPIRED'

/** What one administrator's key says became of it; a second, distinct key that says the same ends it. */
export interface Attestation {
  readonly outcome: AttestedOutcome
  readonly evidence: string
  readonly keyId: string
  readonly at: string
}

/** Another tenant that signed with keys of its own. */
export interface Countersigner {
  readonly tenant: string
  readonly addresses: readonly string[]
  /** ISO 8601; of the first of its signatures. */
  readonly givenAt: string
}

export interface TransactionContext {
  readonly fixed: TransactionFixed
  /** The fee payer's signature, by which the chain knows it; null until it is known. */
  readonly signature: string | null
  /** A signature of ours exists, a signer was asked for one, or none is missing: it may land, and ends only by the chain or by proof. */
  readonly ourSignature: boolean
  /** Every required signature is there. */
  readonly complete: boolean
  readonly slot: number | null
  /** Unix seconds. */
  readonly blockTime: number | null
  /** The chain's error, or the reason it never got there. */
  readonly error: string | null
  readonly computeUnitsConsumed: number | null
  /** 0 processed, 1 confirmed, 32 finalized (the lockout depth of a rooted block), unless the cluster said how many. */
  readonly confirmations: number
  /** Sends so far. */
  readonly attempts: number
  readonly lastSentAt: string | null
  /** Other tenants that signed it with keys of theirs; absent: none. */
  readonly countersigners?: readonly Countersigner[]
  /** It exceeds debit limits, and goes on only with the word of others; null: it does not. */
  readonly approval: Approval | null
  /** Cancelling was asked for while only proof can end it: proof of expiry then makes it CANCELLED. */
  readonly cancelAskedAt: string | null
  /** The first key's word on an outcome that nothing can prove; null again when the chain shows anything. */
  readonly attestation: Attestation | null
  /** Every state reached and every attempt, in order, at most `HISTORY_LIMIT`. */
  readonly history: readonly HistoryEntry[]
  /** What proved the expiry or the voiding, or who attested the outcome on what evidence. JSON. */
  readonly proof: unknown
  /** When it ended. */
  readonly finalAt: string | null
}

/** What the members above are before anything happened. */
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

/** True when it may be on its way or on chain: everything open but what carries no signature of ours. */
export function mayLand(state: TransactionState, context: TransactionContext): boolean {
  if (state === 'partiallySigned') return context.ourSignature
  return state === 'signed' || state === 'submitted' || state === 'processed' || state === 'confirmed'
}

const SUCCEEDING: ReadonlySet<TransactionState> = new Set<TransactionState>(['signed', 'submitted', 'processed', 'confirmed', 'finalized'])

/** `success` of the interface: from SIGNED on, unless it ended otherwise or an error was seen. */
export function isSuccess(state: TransactionState, context: TransactionContext): boolean {
  return SUCCEEDING.has(state) && context.error === null
}
