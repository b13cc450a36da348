// The interface between market data operations and the oracle, which executes the jobs of data sources.

import type { JobResult } from '../../machines/data-source.ts'

export type DataKind = 'PRICE' | 'RATING'

export type { JobResult }

export interface Execution {
  /** A decimal in plain digits, or the text of a rating; null: `error` states why there is none. */
  readonly value: string | null
  readonly error: string | null
  readonly jobs: readonly JobResult[]
}

export type CheckedDefinition =
  | {
      readonly ok: true
      /** First 32 hex digits of the SHA-256 of its canonical JSON. */
      readonly hash: string
      /** Maximum number of requests of one execution. */
      readonly requests: number
      /** Never rejects because of a job or a host. Makes at most `atOnce` requests concurrently. */
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
  | { readonly ok: true; readonly status: number; readonly body: Uint8Array }
  /** `reason` may be shown to the client. */
  | { readonly ok: false; readonly reason: string }
