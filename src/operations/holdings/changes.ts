// Converts the requested changes of an account to changes of its record: absent members keep their value, null clears
// (completion 6, "Update Account").
import type { AccountType, HoldingChanges, References } from '../../../machines/holding.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Call, NeededApprovals } from '../../contract/call.ts'
import type { AccountChangesInput } from '../../contract/schemas/account.ts'
import type { ReferenceChangesInput } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { checkNoOwnDebitWaits } from '../authorization/limits/own-waiting.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import { debitLimits } from '../views/read-models/debit-limits.ts'
import { checkMembers } from './member-rights.ts'
import { checkReferencesFree } from './new-holding.ts'
import { MINT_TYPES } from './new-members.ts'
import { requirePolicyRole } from './policy.ts'
import { changedBy, isOfAnyType, LIMITED_TYPES, SPECIALISED_TYPES } from '../../contract/holding-types.ts'

type Given = Omit<AccountChangesInput, 'account'>

/** Members that decide who may use an account's funds and key; they need the policy role. */
const POLICY = [
  'canPayFees',
  'globalFeePayerForOrgs',
  'orgsAllowedToSignWithPrivateKey',
  'networkCurrencyDebitLimits',
  'tokenDebitLimits',
  'destinationPolicy',
] as const
const DEBIT_KEYS = ['solDebitApiKeys', 'tokenDebitApiKeys'] as const

/** Throws 403 `ROLE_REQUIRED`, 400 for a change that the account does not allow. */
export function holdingChanges(
  { platform, call }: Context,
  state: HoldingState,
  given: Given,
  pointer: string,
): HoldingChanges {
  const { context } = state
  checkRoles({ platform, call }, state, given, pointer)
  checkMembers({ platform, call }, given, context.dataLength, pointer)
  checkLimits(given, state, pointer)
  const limits = (member: 'networkCurrencyDebitLimits' | 'tokenDebitLimits') =>
    debitLimits({ platform, call }, given[member], `${pointer}/${member}`)
  const changes = {
    ...(given.offchainReferences === undefined
      ? {}
      : {
          references: referenceChanges(
            { platform, call },
            state,
            given.offchainReferences,
            `${pointer}/offchainReferences`,
          ),
        }),
    ...(given.comments === undefined ? {} : { comments: given.comments }),
    ...(given.domain === undefined ? {} : { domain: given.domain }),
    ...(given.canPayFees === undefined ? {} : { canPayFees: given.canPayFees ?? false }),
    ...(given.globalFeePayerForOrgs === undefined ? {} : { globalFeePayerForOrgs: given.globalFeePayerForOrgs }),
    ...(given.orgsAllowedToSignWithPrivateKey === undefined
      ? {}
      : { orgsAllowedToSignWithPrivateKey: given.orgsAllowedToSignWithPrivateKey }),
    ...(given.solDebitApiKeys === undefined ? {} : { solDebitApiKeys: given.solDebitApiKeys }),
    ...(given.tokenDebitApiKeys === undefined ? {} : { tokenDebitApiKeys: given.tokenDebitApiKeys }),
    ...(given.networkCurrencyDebitLimits === undefined
      ? {}
      : { networkCurrencyDebitLimits: limits('networkCurrencyDebitLimits') }),
    ...(given.tokenDebitLimits === undefined ? {} : { tokenDebitLimits: limits('tokenDebitLimits') }),
    ...(given.destinationPolicy === undefined ? {} : { destinationPolicy: given.destinationPolicy ?? 'OPEN' }),
    ...(given.subscribeToNetworkEvents === undefined
      ? {}
      : { subscribeToNetworkEvents: given.subscribeToNetworkEvents ?? false }),
  }
  return { ...changes, ...changedBy(state, changes) }
}

/** What must be approved before the change; null: nothing. */
export function approvalsForHolding(context: Context, state: HoldingState, given: Given): NeededApprovals | null {
  if (!changesPolicy(state, given)) return null
  return neededApprovals(context, {
    operation: 'ACCOUNT_POLICY',
    tenant: state.tenant,
    organizations: [state.context.organization, context.call.organization],
    target: state.id,
  })
}

function checkRoles(context: Context, state: HoldingState, given: Given, pointer: string): void {
  const { call } = context
  const policy = policyIn(state, given)
  if (policy !== undefined) {
    requirePolicyRole(call, `${pointer}/${policy}`)
    checkNoOwnDebitWaits(context, state, `${pointer}/${policy}`)
  }
  // Removing a restriction needs the same role as setting it.
  const keys = DEBIT_KEYS.find((member) => given[member] !== undefined)
  if (keys !== undefined) requireRole(call, 'PLATFORM_UPDATE_DEBIT_API_KEYS', `${pointer}/${keys}`)
}

/** Also the lists of keys that may debit the account. */
function changesPolicy(state: HoldingState, given: Given): boolean {
  return policyIn(state, given) !== undefined || DEBIT_KEYS.some((member) => given[member] !== undefined)
}

/**
 * The first member that changes policy. A change to a type without debit limits counts, since it removes all limits.
 */
function policyIn({ context: { references } }: HoldingState, given: Given): string | undefined {
  const type = given.offchainReferences?.type ?? references.type
  if (LIMITED_TYPES.has(type) !== LIMITED_TYPES.has(references.type)) return 'offchainReferences/type'
  return POLICY.find((member) => given[member] !== undefined)
}

function requireRole(call: Call, role: string, pointer: string): void {
  if (!call.caller.roles.has(role))
    throw forbidden('ROLE_REQUIRED', `role ${role} is required to change this member`, pointer)
}

/** Limits of tokens apply to a position too. */
function checkLimits(given: Given, { kind, context }: HoldingState, pointer: string): void {
  if (LIMITED_TYPES.has(context.references.type)) return
  for (const member of ['networkCurrencyDebitLimits', 'tokenDebitLimits'] as const) {
    const limits = given[member]
    if (limits === undefined || limits === null || isOfAnyType(limits)) continue
    if (kind === 'position' && member === 'tokenDebitLimits') continue
    throw badRequest(
      'LIMITS_NOT_APPLICABLE',
      `debit limits apply to ${[...LIMITED_TYPES].join(', ')} only`,
      `${pointer}/${member}`,
    )
  }
}

/**
 * The references after the change. Throws 400 `MEMBER_NOT_CHANGEABLE`, `ALREADY_EXISTS`.
 *
 * @param at JSON pointer of the member
 */
export function referenceChanges(
  { platform, call }: Context,
  { id, kind, context }: HoldingState,
  given: ReferenceChangesInput | null,
  at: string,
): References {
  const { references } = context
  const changed = given ?? { alId: null, accountNumber: null, code: null, name: null }
  if (
    changed.organizationExternalId !== undefined &&
    changed.organizationExternalId !== references.organizationExternalId
  ) {
    throw badRequest(
      'MEMBER_NOT_CHANGEABLE',
      'the organization of an account cannot be changed',
      `${at}/organizationExternalId`,
    )
  }
  const next: References = {
    type: changed.type ?? references.type,
    organizationExternalId: references.organizationExternalId,
    alId: kept(changed.alId, references.alId),
    accountNumber: kept(changed.accountNumber, references.accountNumber),
    code: kept(changed.code, references.code),
    name: kept(changed.name, references.name),
  }
  const isFixed = (type: AccountType): boolean => type in SPECIALISED_TYPES
  const leavesKind = kind === 'instrument' && !MINT_TYPES.includes(next.type)
  if (next.type !== references.type && (isFixed(next.type) || isFixed(references.type) || leavesKind)) {
    throw badRequest(
      'MEMBER_NOT_CHANGEABLE',
      `the type of an account cannot be changed from ${references.type} to ${next.type}`,
      `${at}/type`,
    )
  }
  checkReferencesFree({ platform, call }, next, at, { refuse: badRequest, self: id })
  return next
}

function kept<Value>(given: Value | null | undefined, before: Value | null): Value | null {
  return given === undefined ? before : given
}
