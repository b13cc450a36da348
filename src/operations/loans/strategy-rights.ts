// Rights to lend out of a vault. Lending moves the vault's funds to other parties, so the terms are account policy,
// and the debit key lists of the vault apply as for a transfer.
import { isHolding } from '../../engine/records/record.ts'
import { requirePolicyRole } from '../../contract/roles.ts'
import type { Call } from '../../contract/call.ts'
import { bindsOwner } from '../lookup/governing.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { Context } from '../context/platform.ts'
import { forbidden } from '../../contract/refusal.ts'
import type { StrategyTermsInput } from '../../contract/schemas/loan.ts'

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

/** The first member of the change that may let more funds leave the vault. Disabling originations is not one. */
export function loosenedBy(changes: StrategyTermsInput): string | undefined {
  return changes.originationsEnabled === true
    ? 'originationsEnabled'
    : TERMS.find((member) => changes[member] !== undefined)
}

/**
 * The caller's key must be in every non-empty debit key list that binds the vault: its own, and of its position.
 *
 * Throws 403 `DEBIT_KEY_REQUIRED`.
 *
 * @param addresses of the vault and of its position
 */
export function checkDebitLists(
  { platform: { engine }, call: { tenant, cluster, caller } }: Context,
  addresses: readonly string[],
  pointer: string,
): void {
  for (const address of addresses) {
    const records = ownRecordsAt(engine.directory, tenant, cluster, address)
      .map(({ head }) => head)
      .filter(isHolding)
      .filter((state) => bindsOwner(engine.directory, state))
    for (const { context } of records) {
      for (const keys of [context.solDebitApiKeys ?? [], context.tokenDebitApiKeys ?? []]) {
        if (keys.length > 0 && !keys.includes(caller.keyId))
          throw forbidden(
            'DEBIT_KEY_REQUIRED',
            `API key may not lend out of ${address}: only the keys listed on the account may`,
            pointer,
          )
      }
    }
  }
}
