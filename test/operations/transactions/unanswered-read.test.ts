// A read that the database did not answer: the request can be repeated, and no background work fails permanently.
import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../../snapshots/postgres/errors.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { asFailure, asRefusal, isRetryable, problemOf } from '../../../src/operations/context/as-refusal.ts'

describe('a read without an answer', () => {
  const error = new NoAnswer('the connection broke')

  it('is answered with 503 and can be repeated', () => {
    const refusal = asRefusal(error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ status: 503, problems: [{ code: 'TENANT_UNAVAILABLE', retryable: true }] })
  })

  it('is repeated in the background', () => {
    const failure = asFailure(error)
    expect(isRetryable(failure)).toBe(true)
    expect(problemOf(failure).code).toBe('TENANT_UNAVAILABLE')
  })
})
