// Account policy: permissions beyond the defaults need their own role, whether they are set at creation or by an
// update, and the approvals of the policies that cover it.
import { isLooser } from '../../../machines/debit-limits.ts'
import type { DebitLimit, Holding } from '../../../machines/holding.ts'
import type { Call } from '../../contract/call.ts'
import { forbidden } from '../../contract/refusal.ts'
import { POLICY_ROLE } from '../../contract/holding-types.ts'
import { policiesFor } from '../authorization/policies/covering.ts'
import type { Context } from '../context/platform.ts'

type PolicyMembers = Pick<
  Holding,
  | 'canPayFees'
  | 'globalFeePayerForOrgs'
  | 'orgsAllowedToSignWithPrivateKey'
  | 'networkCurrencyDebitLimits'
  | 'tokenDebitLimits'
>

/**
 * For a new account of `organization`, which cannot wait for an approval. Throws 403 `ROLE_REQUIRED`,
 * `APPROVAL_REQUIRED`.
 */
export function checkNewPolicy(
  context: Context,
  members: PolicyMembers,
  { organization, pointerTo }: { readonly organization: string; readonly pointerTo: (member: string) => string },
): void {
  const member = beyondDefaults(members)
  if (member === undefined) return
  requireAccountPolicyRole(context.call, pointerTo(member))
  if (isAccountPolicyCovered(context, organization))
    throw forbidden(
      'APPROVAL_REQUIRED',
      'an approval policy covers account policies: create the account without this member, then change the account',
      pointerTo(member),
    )
}

/** Whether a single key cannot set the policy of accounts of the organization. */
export function isAccountPolicyCovered({ platform, call }: Context, organization: string): boolean {
  const { engine, clock } = platform
  const concerned = { tenant: call.tenant, organizations: [organization, call.organization], now: clock.now() }
  return policiesFor(engine.directory, concerned).some(({ context }) => context.operations.includes('ACCOUNT_POLICY'))
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
