// What an account may do beyond the defaults is policy: whether it is said when the account is made or later, it needs a role of its own.
import { isLooser } from '../../../machines/debit-limits.ts'
import type { DebitLimit, Holding } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'
import { POLICY_ROLE } from '../../contract/holding-types.ts'

type PolicyMembers = Pick<
  Holding,
  'canPayFees' | 'globalFeePayerForOrgs' | 'orgsAllowedToSignWithPrivateKey' | 'networkCurrencyDebitLimits' | 'tokenDebitLimits'
>

/** Of a new account. Throws 403 `ROLE_REQUIRED`. */
export function checkNewPolicy(call: Call, members: PolicyMembers, pointer: string): void {
  const member = beyondDefaults(members)
  if (member !== undefined) requirePolicyRole(call, `${pointer}/${member}`)
}

/** Throws 403 `ROLE_REQUIRED`. */
export function requirePolicyRole({ caller }: Call, pointer: string): void {
  if (caller.roles.has(POLICY_ROLE)) return
  throw forbidden('ROLE_REQUIRED', `role ${POLICY_ROLE} is required to say what an account may do beyond the defaults`, pointer)
}

function beyondDefaults(members: PolicyMembers): keyof PolicyMembers | undefined {
  if (members.canPayFees) return 'canPayFees'
  const list = (['globalFeePayerForOrgs', 'orgsAllowedToSignWithPrivateKey'] as const).find((each) => (members[each]?.length ?? 0) > 0)
  return list ?? (['networkCurrencyDebitLimits', 'tokenDebitLimits'] as const).find((each) => givesMore(members[each]))
}

/** An organization that is named as beneficiary has its fees paid whatever API keys the account lists. */
function givesMore(limits: readonly DebitLimit[] | null): boolean {
  const approves = ({ maxAllowedDebit }: DebitLimit): boolean => (maxAllowedDebit?.approversForOverride.length ?? 0) > 0
  return isLooser(limits) || (limits ?? []).some((limit) => approves(limit) || limit.organizationExternalId !== undefined)
}
