// Account policy: permissions beyond the defaults need their own role, whether they are set at creation or by an
// update.
import { isLooser } from '../../../machines/debit-limits.ts'
import type { DebitLimit, Holding } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'
import { POLICY_ROLE } from '../../contract/holding-types.ts'

type PolicyMembers = Pick<
  Holding,
  | 'canPayFees'
  | 'globalFeePayerForOrgs'
  | 'orgsAllowedToSignWithPrivateKey'
  | 'networkCurrencyDebitLimits'
  | 'tokenDebitLimits'
>

/** For a new account. Throws 403 `ROLE_REQUIRED`. */
export function checkNewPolicy(call: Call, members: PolicyMembers, pointer: string): void {
  const member = beyondDefaults(members)
  if (member !== undefined) requireAccountPolicyRole(call, `${pointer}/${member}`)
}

/** Throws 403 `ROLE_REQUIRED`. */
export function requireAccountPolicyRole({ caller }: Call, pointer: string): void {
  if (caller.roles.has(POLICY_ROLE)) return
  throw forbidden('ROLE_REQUIRED', `role ${POLICY_ROLE} is required to set policy members of an account`, pointer)
}

function beyondDefaults(members: PolicyMembers): keyof PolicyMembers | undefined {
  if (members.canPayFees) return 'canPayFees'
  const list = (['globalFeePayerForOrgs', 'orgsAllowedToSignWithPrivateKey'] as const).find(
    (each) => (members[each]?.length ?? 0) > 0,
  )
  return list ?? (['networkCurrencyDebitLimits', 'tokenDebitLimits'] as const).find((each) => grantsMore(members[each]))
}

/**
 * True if the limits are looser than the defaults, name approvers, or name a beneficiary organization, whose fees are
 * paid regardless of the account's debit keys.
 */
function grantsMore(limits: readonly DebitLimit[] | null): boolean {
  const approves = ({ maxAllowedDebit }: DebitLimit): boolean => (maxAllowedDebit?.approversForOverride.length ?? 0) > 0
  return (
    isLooser(limits) || (limits ?? []).some((limit) => approves(limit) || limit.organizationExternalId !== undefined)
  )
}
