// What these operations ask of whoever executes the jobs of a data source.

export type DataKind = 'PRICE' | 'RATING'

export interface JobResult {
  readonly succeeded: boolean
  readonly value: string | null
  /** The job, the task and the reason; it may be shown. */
  readonly error: string | null
}

export interface Execution {
  /** A decimal in plain digits, or the text of a rating; null: `error` says why there is none. */
  readonly value: string | null
  readonly error: string | null
  readonly jobs: readonly JobResult[]
}

export type CheckedDefinition =
  | {
      readonly ok: true
      /** First 32 hex digits of the SHA-256 of its canonical JSON. */
      readonly hash: string
      /** How many requests an execution makes at most. */
      readonly requests: number
      /** Never rejects for anything that a job or a host says. At most `atOnce` of its requests are under way at the same time. */
      readonly execute: (kind: DataKind, atOnce?: number) => Promise<Execution>
    }
  /** `reason` names the job, the task and the rule. */
  | { readonly ok: false; readonly reason: string }

export interface Oracle {
  check(jobDefinition: string): CheckedDefinition
}

/** A request of a job, with its bounds. */
export interface JobRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly maxBytes: number
  readonly timeoutMs: number
}

export type JobAnswer =
  { readonly ok: true; readonly status: number; readonly body: Uint8Array } | { readonly ok: false; readonly reason: string }
