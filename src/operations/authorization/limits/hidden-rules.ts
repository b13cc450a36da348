// Refusals by the rules of the tenant that made a transaction, as a signer of another tenant may learn them.
import { badRequest, forbidden, Refusal } from '../../../contract/refusal.ts'
import type { Call } from '../../../contract/call.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Runs a decision by the rules of `tenant`. A caller of another tenant does not learn which limits, counterparties,
 * destination policies and screenings the tenant has: every refusal is 400 `DEBIT_LIMIT_EXCEEDED`, 403
 * `DESTINATION_NOT_ALLOWED` or, without an answer of a screening, 503 `TENANT_UNAVAILABLE`, without details.
 */
export function hidingRules<T>(call: Pick<Call, 'tenant'>, tenant: string, decideNow: () => T): T {
  try {
    return decideNow()
  } catch (error) {
    if (!(error instanceof Refusal) || call.tenant === tenant) throw error
    if (error.status === 403)
      throw forbidden(
        'DESTINATION_NOT_ALLOWED',
        'another tenant does not pay a destination of the transaction',
        '/itemData',
      )
    if (isUnscreened(error)) throw undecided('TENANT_UNAVAILABLE')
    if (error.status !== 400) throw error
    throw badRequest('DEBIT_LIMIT_EXCEEDED', 'the transaction exceeds a limit of another tenant', '/itemData')
  }
}

/** Asks the screening service of another tenant. The caller does not learn why there is no answer. */
export function hidingAbsence<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof Refusal && isUnscreened(error)) throw undecided('SCREENING_UNAVAILABLE')
    throw error
  }
}

function isUnscreened({ problems }: Refusal): boolean {
  return problems.some(({ code }) => code === 'SCREENING_UNAVAILABLE' || code === 'OUTBOUND_BUSY')
}

/** 503, retryable: by rules that the caller does not learn. */
function undecided(code: 'TENANT_UNAVAILABLE' | 'SCREENING_UNAVAILABLE'): Refusal {
  const message = 'another tenant cannot decide about the transaction now'
  return new Refusal(503, [{ code, message, pointer: '/itemData', retryable: true }], RETRY_AFTER_SECONDS)
}
