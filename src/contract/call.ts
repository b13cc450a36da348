// Who calls, for whom, where, and how they want the answer; and what an operation answers.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue | undefined }
export type JsonObject = { readonly [member: string]: JsonValue | undefined }

/** The holder of a bearer value, after authentication. */
export interface Caller {
  readonly keyId: string
  /** External id of the organization the key belongs to, and of the root organization above it (the tenant). */
  readonly organization: string
  readonly tenant: string
  readonly system: boolean
  readonly roles: ReadonlySet<string>
  /** Clusters the key is good for; null: all. */
  readonly clusters: ReadonlySet<string> | null
}

export interface Call {
  readonly caller: Caller
  /** The organization acted for, and its tenant: the caller's own, or the one named by `tenancyConfig`. */
  readonly organization: string
  readonly tenant: string
  readonly cluster: string
  readonly requestId: string
  /** Method and path, e.g. `POST /api/v1/positions/transfer`: part of the idempotency scope, as tenant, organization and cluster are. */
  readonly endpoint: string
  /** `key` as given by the client; `digest` is SHA-256 (hex) of the validated, alias-normalised body. */
  readonly idempotency: { readonly key: string; readonly digest: string } | null
  /** How long the caller wants to wait for the asked commitment; 0 with `respond-async`. */
  readonly waitMs: number
  readonly dryRun: boolean
  /** The client's own reference of the transactions that the request makes. */
  readonly externalReference?: string
  /** Counts so many more requests against the rate limit; throws a Refusal (429). Absent: the service itself calls. */
  readonly charge?: (requests: number) => void
}

/**
 * What a writing operation did. It is data: stored with the idempotency key, and rendered again on a replay from the records as
 * they stand then.
 */
export interface Outcome {
  /** Members of the answer besides the transactions, e.g. `{ newAccount: { onchainId, offchainId } }`. */
  readonly members: JsonObject
  /** Ids of the transactions made, in order; the last one is `chainTransaction`. */
  readonly transactions: readonly string[]
  /** How transactions are shown: the bare result, the member `chainTransaction`, or that and `chainTransactions`. */
  readonly shape: 'bare' | 'member' | 'members'
  /** How far the caller wants the last transaction to get before the answer; `signed`: as it stands. */
  readonly awaited: 'signed' | 'processed' | 'confirmed' | 'finalized'
  /** Id of the plan that makes the transactions after the first. */
  readonly plan?: string
  /** Members shown once and never stored (a new API key). */
  readonly secrets?: JsonObject
}
