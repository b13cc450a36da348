// A request that is refused before anything is signed, as the problem document for the caller. A refused request leaves
// no record.
import type { LimitVerdictModel } from './schemas/limit-answers.ts'

export interface Problem {
  /** Stable, upper case, e.g. `ACCOUNT_NOT_FOUND`. */
  readonly code: string
  readonly message: string
  /** JSON Pointer (RFC 6901) into the request body. */
  readonly pointer?: string
  /** True only if nothing was signed or sent, and the same request may succeed later. */
  readonly retryable: boolean
  /** The debit limits that were exceeded. */
  readonly entries?: readonly LimitVerdictModel[]
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly problems: readonly Problem[]
  /** Seconds after which a retry makes sense (429, 503). */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, problems: readonly Problem[], retryAfterSeconds?: number) {
    super(problems.map((problem) => `${problem.code}: ${problem.message}`).join('; '))
    this.status = status
    this.problems = problems
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** 400 with one problem. */
export function badRequest(code: string, message: string, pointer?: string): Refusal {
  return new Refusal(400, [problem(code, message, pointer)])
}

/** 400 for a record that a change under way occupies: the same request may succeed once that has ended. */
export function busy(code: string, message: string, pointer: string): Refusal {
  return new Refusal(400, [{ code, message, pointer, retryable: true }])
}

/** Throws 400 with all of the problems, if there are any. */
export function refuseAll(problems: readonly { code: string; message: string; pointer: string }[]): void {
  if (problems.length === 0) return
  throw new Refusal(
    400,
    problems.map(({ code, message, pointer }) => problem(code, message, pointer)),
  )
}

/** 401, whatever is wrong with the credentials. */
export function credentialsInvalid(): Refusal {
  return new Refusal(401, [problem('CREDENTIALS_INVALID', 'the API key is not valid', undefined)])
}

/** 403 with one problem. */
export function forbidden(code: string, message: string, pointer?: string): Refusal {
  return new Refusal(403, [problem(code, message, pointer)])
}

/** 404 with one problem; only for endpoints whose contract lists 404. */
export function notFound(code: string, message: string, pointer?: string): Refusal {
  return new Refusal(404, [problem(code, message, pointer)])
}

/** 409 with one problem; only for endpoints whose contract lists 409. */
export function conflict(code: string, message: string, pointer?: string): Refusal {
  return new Refusal(409, [problem(code, message, pointer)])
}

function problem(code: string, message: string, pointer: string | undefined): Problem {
  return pointer === undefined ? { code, message, retryable: false } : { code, message, pointer, retryable: false }
}
