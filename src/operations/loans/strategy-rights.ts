// Who may open a vault to borrowers: lending moves the vault's money to others, so the terms of it are account policy, and the vault's debit
// key lists hold for them as for a transfer.
import { isHolding } from '../../engine/records/record.ts'
import { requirePolicyRole } from '../../contract/roles.ts'
import type { Call } from '../../contract/call.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Platform } from '../context/platform.ts'
import { forbidden } from '../../contract/refusal.ts'
import type { StrategyTermsInput } from '../../contract/loan-input.ts'

const TERMS = [
  'borrowers',
  'collateral',
  'onchainDataSource',
  'originationCap',
  'exemptFromDebitLimits',
  'duration',
  'liquidityBuffer',
] as const satisfies readonly (keyof StrategyTermsInput)[]

/** Throws 403 `ROLE_REQUIRED`. */
export function requireToLend({ caller }: Call, pointer: string): void {
  requirePolicyRole(caller, 'to lend out of an account', pointer)
}

/** The member that may let more go out of the vault; to stop lending is not one. */
export function loosenedBy(changes: StrategyTermsInput): string | undefined {
  return changes.originationsEnabled === true ? 'originationsEnabled' : TERMS.find((member) => changes[member] !== undefined)
}

/**
 * Every list of the vault and of its position has the calling key, or is empty.
 *
 * Throws 403 `DEBIT_KEY_REQUIRED`. @param addresses of the vault and of its position
 */
export function checkDebitLists({ engine }: Platform, { tenant, cluster, caller }: Call, addresses: readonly string[], pointer: string): void {
  for (const address of addresses) {
    const records = ownRecordsAt(engine.directory, tenant, cluster, address)
      .map(({ head }) => head)
      .filter(isHolding)
    for (const { context } of records) {
      for (const keys of [context.solDebitApiKeys ?? [], context.tokenDebitApiKeys ?? []]) {
        if (keys.length > 0 && !keys.includes(caller.keyId))
          throw forbidden('DEBIT_KEY_REQUIRED', `only API keys listed on ${address} may lend out of it`, pointer)
      }
    }
  }
}
