// Refusals by the rules of the tenant that made a transaction, as a signer of another tenant may learn them.
import { badRequest, forbidden, Refusal } from '../../../contract/refusal.ts'
import type { Call } from '../../../contract/call.ts'

/**
 * Runs a decision by the rules of `tenant`. A caller of another tenant does not learn which limits, counterparties,
 * destination policies and screenings the tenant has: every refusal is 400 `DEBIT_LIMIT_EXCEEDED` or 403
 * `DESTINATION_NOT_ALLOWED` without details.
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
    if (error.status !== 400) throw error
    throw badRequest('DEBIT_LIMIT_EXCEEDED', 'the transaction exceeds a limit of another tenant', '/itemData')
  }
}
