// Executes a job definition. A refusal names the job, the task and the reason.
import type { Run } from '../../../machines/data-source.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { CheckedDefinition, DataKind, Execution } from '../../contract/market-data.ts'

export const DEFINITION_POINTER = '/itemData/oracleProviderDetails/jobDefinition'

type Good = Extract<CheckedDefinition, { readonly ok: true }>

/** Throws 400 `JOB_INVALID`, `ORACLE_UNAVAILABLE`. */
export function checkedDefinition(platform: Platform, jobDefinition: string, pointer: string): Good {
  if (platform.oracle === undefined)
    throw badRequest('ORACLE_UNAVAILABLE', 'this server does not execute jobs', pointer)
  const checked = platform.oracle.check(jobDefinition)
  if (!checked.ok) throw badRequest('JOB_INVALID', checked.reason, pointer)
  return checked
}

export interface EvaluatedValue {
  readonly value: string
  /** Unix seconds at which the jobs were started. */
  readonly asOf: number
  readonly run: Run
}

export interface JobAttempt {
  readonly execution: Execution
  readonly run: Run
  readonly asOf: number
}

/**
 * Executes the jobs when there is capacity for their requests, which count against the rate limit. An execution without
 * requests counts as one, because it computes. Throws 429 `RATE_LIMITED`, `OUTBOUND_BUSY` before any request is sent.
 */
export async function attemptJobs({ platform, call }: Context, definition: Good, kind: DataKind): Promise<JobAttempt> {
  const requests = Math.max(1, definition.requests)
  call.charge?.(requests)
  const { outboundShares: shares } = platform
  if (shares === undefined) return await execute(platform, definition, kind, requests)
  return await shares.run(call.tenant, requests, (atOnce) => execute(platform, definition, kind, atOnce))
}

async function execute(platform: Platform, definition: Good, kind: DataKind, atOnce: number): Promise<JobAttempt> {
  const now = platform.clock.now()
  const execution = await definition.execute(kind, atOnce)
  const run: Run = { at: new Date(now).toISOString(), value: execution.value, jobs: execution.jobs }
  return { execution, run, asOf: Math.floor(now / 1000) }
}

/** Throws 400 `JOB_FAILED`. */
export function requireSuccess({ execution, run, asOf }: JobAttempt, pointer: string): EvaluatedValue {
  if (execution.value === null) throw badRequest('JOB_FAILED', execution.error ?? 'no job succeeds', pointer)
  return { value: execution.value, asOf, run }
}
