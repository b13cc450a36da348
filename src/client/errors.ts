// The errors of a call: a refusal with its problems, no answer, a transaction that ended without effect, and a
// transaction that was not final within the timeout.

const UNANSWERED = 'the service did not answer'

/** One problem of a refusal (RFC 9457): a stable code, and where in the body. */
export interface Problem {
  readonly code: string
  readonly message: string
  /** JSON Pointer into the body; absent when the problem is not of one member. */
  readonly pointer?: string
  /** The same request may succeed later. */
  readonly retryable: boolean
}

/**
 * The service refused. Below status 500 no attempt of this call had an effect (an earlier call with the same
 * `idempotencyKey` may have had one). From 500 on the call may have had its effect: repeat it with this
 * `idempotencyKey`, never as a new call.
 */
export class HoldfastError extends Error {
  override readonly name = 'HoldfastError'
  readonly status: number
  readonly problems: readonly Problem[]
  /** Identifies the request in the log of the service; null if the answer is not from the service. */
  readonly requestId: string | null
  /** Of a call that writes; null otherwise. */
  readonly idempotencyKey: string | null

  constructor(status: number, problems: readonly Problem[], requestId: string | null, idempotencyKey: string | null) {
    super(
      problems
        .map(({ code, pointer, message }) => `${code}: ${pointer ?? ''}${pointer ? ': ' : ''}${message}`)
        .join('; ') || `status ${status}`,
    )
    this.status = status
    this.problems = problems
    this.requestId = requestId
    this.idempotencyKey = idempotencyKey
  }

  get retryable(): boolean {
    return this.problems.length > 0 && this.problems.every(({ retryable }) => retryable)
  }

  has(code: string): boolean {
    return this.problems.some((problem) => problem.code === code)
  }
}

/**
 * No attempt had a readable answer of the service: none at all, or that of a host before it. A call that writes and had
 * an attempt without an answer, or with a status from 500 on, also throws this error if a later attempt was refused
 * (`cause` is the HoldfastError) or if it was aborted (`cause` is the reason of the signal). The call may have had its
 * effect: call again with this `idempotencyKey` and the same body, now or after a restart, and it has one effect.
 */
export class HoldfastUnanswered extends Error {
  override readonly name = 'HoldfastUnanswered'
  readonly idempotencyKey: string | null

  constructor(idempotencyKey: string | null, cause: unknown) {
    const again =
      idempotencyKey === null ? '' : `; it may have had its effect: repeat it with idempotencyKey ${idempotencyKey}`
    const isRefused = cause instanceof HoldfastError && cause.status < 500
    const what = isRefused ? `an attempt had no answer, and a later one was refused (${cause.message})` : UNANSWERED
    super(`${what}${again}`, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** A transaction that was waited for ended without effect, or on chain with an error. */
export class TransactionEnded<Transaction extends { readonly status: string }> extends Error {
  override readonly name = 'TransactionEnded'
  readonly transaction: Transaction

  constructor(transaction: Transaction, why: string | undefined) {
    super(`the transaction ended ${transaction.status}${why === undefined ? '' : `: ${why}`}`)
    this.transaction = transaction
  }
}

/** The timeout has passed. The transaction continues; it has not failed. */
export class TransactionPending<Transaction extends { readonly status: string }> extends Error {
  override readonly name = 'TransactionPending'
  readonly transaction: Transaction

  constructor(transaction: Transaction) {
    super(`the transaction is still ${transaction.status}, and may land yet`)
    this.transaction = transaction
  }
}
