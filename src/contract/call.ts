// A request after authentication and validation (`Caller`, `Call`), and the result of a write (`Outcome`).
import type { ApprovalEntry } from '../../machines/approval.ts'
import type { RecordOperation } from '../../machines/approval-policy.ts'

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue | undefined }
export type JsonObject = { readonly [member: string]: JsonValue | undefined }

/** The holder of an API key or token, after authentication. */
export interface Caller {
  readonly keyId: string
  /** External id of the key's organization, and of the root organization above it (the tenant). */
  readonly organization: string
  readonly tenant: string
  readonly system: boolean
  readonly roles: ReadonlySet<string>
  /** Clusters that the key may use; null: all. */
  readonly clusters: ReadonlySet<string> | null
}

export interface Call {
  readonly caller: Caller
  /**
   * The organization that the request acts for, and its tenant: the caller's own, or the one named in `tenancyConfig`.
   */
  readonly organization: string
  readonly tenant: string
  /**
   * For a request about a tenant of another cell, which serves it: that tenant. All decisions are those for `tenant`;
   * the rows of the request are written together with the rows of this tenant.
   */
  readonly servedFor?: string
  readonly cluster: string
  readonly requestId: string
  /**
   * Method and path, e.g. `POST /api/v1/positions/transfer`. Part of the idempotency scope, as are tenant, organization
   * and cluster.
   */
  readonly endpoint: string
  /** `key` as sent by the client; `digest` is the SHA-256 (hex) of the validated, alias-normalised body. */
  readonly idempotency: {
    /** A UUID is in lower case. */
    readonly key: string
    /** As the client sent it. Absent: equal. */
    readonly sentKey?: string
    readonly digest: string
  } | null
  /** How long the caller waits for the requested commitment, in milliseconds; 0 with `respond-async`. */
  readonly waitMs: number
  readonly dryRun: boolean
  /** The client's own reference for the transactions of the request. */
  readonly externalReference?: string
  /** Counts additional requests against the rate limit; throws 429. Absent if the service itself is the caller. */
  readonly charge?: (requests: number) => void
  /**
   * True once the credentials of the request are no longer valid: a request that waits is decided after its key was
   * disabled. Absent if the service itself is the caller.
   */
  readonly isRevoked?: () => boolean
}

/**
 * The result of a write. It is plain data: stored with the idempotency key, and rendered on a replay from the records
 * as they are at that time.
 */
export interface Outcome<Members extends JsonObject = JsonObject> {
  /** Members of the answer besides the transactions, e.g. `{ newAccount: { onchainId, offchainId } }`. */
  readonly members: Members
  /** Ids of the transactions created, in order; the last one is `chainTransaction`. */
  readonly transactions: readonly string[]
  /** How transactions are rendered: the bare result, the member `chainTransaction`, or that and `chainTransactions`. */
  readonly shape: 'bare' | 'member' | 'members'
  /** Status that the last transaction must reach before the answer; `signed`: no wait. */
  readonly awaited: 'signed' | 'processed' | 'confirmed' | 'finalized'
  /** Id of the plan that creates the transactions after the first. */
  readonly plan?: string
  /** Id of the organization that the members show: a replay shows its current state. */
  readonly organization?: string
  /** Id of the batch that is shown in the form of a transaction result, in its current state. */
  readonly batch?: string
  /** Id of the webhook whose secret was rotated: a replay shows the current end of validity of the previous one. */
  readonly webhook?: string
  /** Id of the pending change that was stored in place of the change, or that the request decided about. */
  readonly pendingChange?: string
  /**
   * The transactions are of a tenant of another cell, which serves the request. `input`: the body as that cell reads
   * it; present on the first request only.
   */
  readonly elsewhere?: {
    readonly tenant: string
    readonly operation: 'sign' | 'submit'
    readonly input?: JsonObject
  }
  /** The cells and tenants that must have applied the change before the response. Absent: none. */
  readonly heardBy?: ChangeAudience
  /** Members that are shown once and never stored (a new API key). */
  readonly secrets?: JsonObject
  /** The findings of a dry run. Nothing was changed, and the other members have no meaning. */
  readonly dryRun?: DryRun
  /** Approval policies cover the change. Nothing was changed, and the other members have no meaning. */
  readonly needsApproval?: NeededApprovals
}

/** The approvals that a change of records needs before it is made. */
export interface NeededApprovals {
  readonly operation: RecordOperation
  readonly entries: readonly ApprovalEntry[]
  readonly decided: ChangeValues | null
}

/**
 * Values determined at the request, so that the approved change uses the same ones: `kept` is stored, `secrets` are
 * shown to the requester.
 */
export interface ChangeValues {
  readonly kept: JsonObject
  readonly secrets: JsonObject
}

/** The findings of a dry run. */
export interface DryRun {
  /** The member `dryRun` of the answer: in the form of the endpoint. */
  report(): Promise<object>
}

/** Place of a switch, which is a record of SYSTEM. */
export interface SwitchPlace {
  readonly cluster: string
  readonly id: string
}

/**
 * The cells and tenants that a change affects: all cells follow the rights and switches of SYSTEM; tenants receive
 * messages.
 */
export interface ChangeAudience {
  readonly everyCell: boolean
  /** Tenant that sent the messages. */
  readonly sender: string
  /** Recipients of the messages. */
  readonly tenants: readonly string[]
  /** The switches of SYSTEM that the messages turn; absent: none. */
  readonly switches?: readonly SwitchPlace[]
}
