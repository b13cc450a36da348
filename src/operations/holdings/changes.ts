// Converts the requested changes of an account to changes of its record: absent members keep their value, null clears.
import type { AccountType, HoldingChanges, References } from '../../../machines/holding.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Call, NeededApprovals } from '../../contract/call.ts'
import type { AccountChangesInput } from '../../contract/schemas/account.ts'
import type { ReferenceChangesInput } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden, refuseAll } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import { checkNoOwnDebitWaits } from '../authorization/limits/own-waiting.ts'
import { neededApprovals } from '../authorization/policies/changes.ts'
import { debitLimits } from '../views/read-models/debit-limits.ts'
import { checkMembers } from './member-rights.ts'
import { checkReferencesFree } from './new-holding.ts'
import { MINT_TYPES } from './new-members.ts'
import { requireAccountPolicyRole } from './policy.ts'
import { changedBy, isOfAnyType, LIMIT_LISTS, LIMITED_TYPES, SPECIALISED_TYPES } from '../../contract/holding-types.ts'

type ChangesInput = Omit<AccountChangesInput, 'account'>

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
  input: ChangesInput,
  pointer: string,
): HoldingChanges {
  const { context } = state
  const at = `${pointer}/offchainReferences`
  const [, , , references, networkCurrencyDebitLimits, tokenDebitLimits] = together(
    () => checkRoles({ platform, call }, state, input, pointer),
    () => checkMembers({ platform, call }, input, context.dataLength, pointer),
    () => checkLimits(input, state, pointer),
    () => {
      const { offchainReferences: given } = input
      return given === undefined ? undefined : referenceChanges({ platform, call }, state, given, at)
    },
    ...limitsOf({ platform, call }, input, pointer, context.networkCurrencyDebitLimits),
  )
  const changes = {
    ...(references === undefined ? {} : { references }),
    ...(input.comments === undefined ? {} : { comments: input.comments }),
    ...(input.domain === undefined ? {} : { domain: input.domain }),
    ...(input.canPayFees === undefined ? {} : { canPayFees: input.canPayFees ?? false }),
    ...(input.globalFeePayerForOrgs === undefined ? {} : { globalFeePayerForOrgs: input.globalFeePayerForOrgs }),
    ...(input.orgsAllowedToSignWithPrivateKey === undefined
      ? {}
      : { orgsAllowedToSignWithPrivateKey: input.orgsAllowedToSignWithPrivateKey }),
    ...(input.solDebitApiKeys === undefined ? {} : { solDebitApiKeys: input.solDebitApiKeys }),
    ...(input.tokenDebitApiKeys === undefined ? {} : { tokenDebitApiKeys: input.tokenDebitApiKeys }),
    ...(input.networkCurrencyDebitLimits === undefined ? {} : { networkCurrencyDebitLimits }),
    ...(input.tokenDebitLimits === undefined ? {} : { tokenDebitLimits }),
    ...(input.destinationPolicy === undefined ? {} : { destinationPolicy: input.destinationPolicy ?? 'OPEN' }),
    ...(input.subscribeToNetworkEvents === undefined
      ? {}
      : { subscribeToNetworkEvents: input.subscribeToNetworkEvents ?? false }),
  }
  return { ...changes, ...changedBy(state, changes) }
}

/** The checks of `holdingChanges` that do not depend on the account: for a request whose account is unknown. */
export function checkChanges(context: Context, input: ChangesInput, pointer: string): void {
  const policy = POLICY.find((member) => input[member] !== undefined)
  together(
    () => {
      if (policy !== undefined) requireAccountPolicyRole(context.call, `${pointer}/${policy}`)
    },
    () => checkDebitKeyRole(context.call, input, pointer),
    () => checkMembers(context, input, 0, pointer),
    ...limitsOf(context, input, pointer, null),
  )
}

function limitsOf(
  context: Context,
  input: ChangesInput,
  pointer: string,
  inForce: HoldingState['context']['networkCurrencyDebitLimits'],
) {
  const { networkCurrencyDebitLimits, tokenDebitLimits } = input
  return [
    () => debitLimits(context, networkCurrencyDebitLimits, `${pointer}/networkCurrencyDebitLimits`, { inForce }),
    () => debitLimits(context, tokenDebitLimits, `${pointer}/tokenDebitLimits`),
  ] as const
}

/** The approvals that the change requires; null: none. `changes`: the request with its lookups resolved. */
export function approvalsForHolding(
  context: Context,
  state: HoldingState,
  input: ChangesInput,
  { tokenDebitLimits }: HoldingChanges,
): NeededApprovals | null {
  if (!changesPolicy(state, input)) return null
  return neededApprovals(context, {
    operation: 'ACCOUNT_POLICY',
    tenant: state.tenant,
    organizations: [state.context.organization, context.call.organization],
    target: state.id,
    ...(tokenDebitLimits === undefined ? {} : { resolved: { tokenDebitLimits } }),
  })
}

function checkRoles(context: Context, state: HoldingState, input: ChangesInput, pointer: string): void {
  const { call } = context
  const policy = policyIn(state, input)
  if (policy !== undefined) {
    requireAccountPolicyRole(call, `${pointer}/${policy}`)
    checkNoOwnDebitWaits(context, state, `${pointer}/${policy}`)
  }
  checkDebitKeyRole(call, input, pointer)
}

/** Removing a restriction needs the same role as setting it. */
function checkDebitKeyRole(call: Call, input: ChangesInput, pointer: string): void {
  const keys = DEBIT_KEYS.find((member) => input[member] !== undefined)
  if (keys !== undefined) requireRole(call, 'PLATFORM_UPDATE_DEBIT_API_KEYS', `${pointer}/${keys}`)
}

/** Also the lists of keys that may debit the account. */
function changesPolicy(state: HoldingState, input: ChangesInput): boolean {
  return policyIn(state, input) !== undefined || DEBIT_KEYS.some((member) => input[member] !== undefined)
}

/**
 * The first member that changes policy. A change to a type without debit limits counts, since it removes all limits.
 */
function policyIn({ context: { references } }: HoldingState, input: ChangesInput): string | undefined {
  const type = input.offchainReferences?.type ?? references.type
  if (LIMITED_TYPES.has(type) !== LIMITED_TYPES.has(references.type)) return 'offchainReferences/type'
  return POLICY.find((member) => input[member] !== undefined)
}

function requireRole(call: Call, role: string, pointer: string): void {
  if (!call.caller.roles.has(role))
    throw forbidden('ROLE_REQUIRED', `role ${role} is required to change this member`, pointer)
}

/** Limits of tokens apply to a position too. */
function checkLimits(input: ChangesInput, { kind, context }: HoldingState, pointer: string): void {
  if (LIMITED_TYPES.has(context.references.type)) return
  const refused = LIMIT_LISTS.filter((member) => {
    const limits = input[member] ?? null
    const applies = kind === 'position' && member === 'tokenDebitLimits'
    return limits !== null && !applies && !isOfAnyType(member, limits)
  })
  const message = `debit limits apply to ${[...LIMITED_TYPES].join(', ')} only`
  refuseAll(refused.map((member) => ({ code: 'LIMITS_NOT_APPLICABLE', message, pointer: `${pointer}/${member}` })))
}

/**
 * The references after the change. Throws 400 `MEMBER_NOT_CHANGEABLE`, `ALREADY_EXISTS`.
 *
 * @param at JSON pointer of the member
 */
export function referenceChanges(
  { platform, call }: Context,
  { id, kind, context }: HoldingState,
  input: ReferenceChangesInput | null,
  at: string,
): References {
  const { references } = context
  const changed = input ?? { alId: null, accountNumber: null, code: null, name: null }
  const next: References = {
    type: changed.type ?? references.type,
    organizationExternalId: references.organizationExternalId,
    alId: valueAfter(changed.alId, references.alId),
    accountNumber: valueAfter(changed.accountNumber, references.accountNumber),
    code: valueAfter(changed.code, references.code),
    name: valueAfter(changed.name, references.name),
  }
  const { organizationExternalId: named = references.organizationExternalId } = changed
  const isFixed = (type: AccountType): boolean => type in SPECIALISED_TYPES
  const leavesKind = kind === 'instrument' && !MINT_TYPES.includes(next.type)
  together(
    () => {
      if (named === references.organizationExternalId) return
      const message = 'the organization of an account cannot be changed'
      throw badRequest('MEMBER_NOT_CHANGEABLE', message, `${at}/organizationExternalId`)
    },
    () => {
      if (next.type === references.type || !(isFixed(next.type) || isFixed(references.type) || leavesKind)) return
      const message = `the type of an account cannot be changed from ${references.type} to ${next.type}`
      throw badRequest('MEMBER_NOT_CHANGEABLE', message, `${at}/type`)
    },
    () => checkReferencesFree({ platform, call }, next, at, { refuse: badRequest, self: id }),
  )
  return next
}

function valueAfter<Value>(input: Value | null | undefined, before: Value | null): Value | null {
  return input === undefined ? before : input
}
