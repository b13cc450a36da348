// Converts errors to problem documents (RFC 9457). Errors other than refusals become a 500 without details. The type of
// a problem is the address of its description in the documentation of this service, or the registered type of its
// status.
import { STATUS_CODES } from 'node:http'
import { Refusal, type Problem } from '../contract/refusal.ts'

export const PROBLEM_TYPE = 'application/problem+json'

const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded'
const REDUCED_CAPACITY = 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity'
const TYPES: Readonly<Record<number, string>> = { 429: QUOTA_EXCEEDED, 503: REDUCED_CAPACITY }

const INTERNAL: readonly Problem[] = [
  { code: 'INTERNAL', message: 'internal error: the log has the reason under the request id', retryable: false },
]

export interface ProblemAnswer {
  readonly status: number
  readonly body: string
  readonly retryAfterSeconds: number | undefined
}

export function internalProblem(requestId: string): ProblemAnswer {
  return { status: 500, body: document(500, INTERNAL, requestId), retryAfterSeconds: undefined }
}

export function refusalProblem(refusal: Refusal, status: number, requestId: string): ProblemAnswer {
  return { status, body: document(status, refusal.problems, requestId), retryAfterSeconds: refusal.retryAfterSeconds }
}

function document(status: number, problems: readonly Problem[], requestId: string): string {
  return JSON.stringify({
    type: TYPES[status] ?? typeOf(problems),
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: detailOf(problems),
    requestId,
    errors: problems,
    ...(status === 429 ? { 'violated-policies': ['default'] } : {}),
  })
}

/** Relative to the service that answers. Of several problems, the first decides, as in `detail`. */
function typeOf([first]: readonly Problem[]): string {
  return first === undefined ? 'about:blank' : `/docs/errors#${first.code}`
}

/** The first problem, and the number of further ones. */
function detailOf(problems: readonly Problem[]): string | undefined {
  const [first] = problems
  if (first === undefined) return undefined
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return `${where(first)}${first.message}${more}`
}

function where(problem: Problem): string {
  return problem.pointer === undefined || problem.pointer === '' ? '' : `${problem.pointer}: `
}

/** A refusal by the front end itself. */
export function frontRefusal(status: number, code: string, message: string, pointer?: string): Refusal {
  return new Refusal(status, [
    { code, message, ...(pointer === undefined ? {} : { pointer }), retryable: status === 503 },
  ])
}
