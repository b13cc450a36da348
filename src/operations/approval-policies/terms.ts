// What a request states about a policy, resolved and checked against the keys of the tenant.
import { faultOfPolicy, type PolicyTerms } from '../../../machines/approval-policy.ts'
import { apiKeyKey, policiesKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { isKeyEnabled, isSubject, isSubjectDisabled } from '../lookup/subjects.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import { personOf } from '../authorization/policies/people.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { rawUnits } from '../lookup/amounts.ts'
import { resolveInstrument } from '../lookup/instrument.ts'

const MAX_POLICIES_OF_TENANT = 100

type Instrument = RecordState<'instrument'>

/** Throws 400 `INSTRUMENT_NOT_FOUND`. */
export function instrumentOfLookup({ platform, call }: Context, lookup: AccountLookup): Instrument {
  return resolveInstrument({ platform, call }, lookup, '/itemData/financialInstrument')
}

/** As the terms of a policy name it; null: none. */
export function inTerms(instrument: Instrument | null): { address: string; id: string } | null {
  return instrument === null ? null : { address: instrument.context.address, id: instrument.id }
}

/**
 * `above` is in units of the mint's decimals, without the multiplier of displayed amounts. Without an instrument it
 * applies to several mints and is rounded down for each. Throws 400 `TOO_PRECISE`, `OVER_U64`.
 */
export function checkAbove(above: string | null, instrument: Instrument | null | undefined, pointer: string): void {
  if (above === null || above === '0' || instrument == null) return
  rawUnits(above, instrument.context.decimals, pointer)
}

/** Throws 400 `POLICY_TERMS_INVALID`, `TOO_FEW_APPROVERS`, `APPROVER_NOT_FOUND`. */
export function checkTerms(context: Context, terms: PolicyTerms): void {
  const { platform } = context
  const fault = faultOfPolicy(terms)
  together(
    () => {
      if (fault !== null) throw badRequest('POLICY_TERMS_INVALID', fault, '/itemData')
    },
    () => checkApprovers(context, terms.approvers),
  )
  const persons = new Set(terms.approvers.map((keyId) => personOf(platform, keyId)))
  if (persons.size < terms.requiredApproversCount)
    throw badRequest(
      'TOO_FEW_APPROVERS',
      'more approvals are required than distinct persons are named: a subject and the keys that it made are one person',
      '/itemData/requiredApproversCount',
    )
}

/** Throws 400 `APPROVER_NOT_FOUND` for each approver that cannot approve. */
export function checkApprovers(context: Context, approvers: readonly string[]): void {
  eachTogether(approvers, (keyId, index) => checkApprover(context, keyId, `/itemData/approvers/${index}`))
}

/** An approver must be able to approve now. */
function checkApprover({ platform, call: { tenant, organization } }: Context, keyId: string, pointer: string): void {
  const { directory } = platform.engine
  if (isSubject(keyId)) {
    if (!isSubjectDisabled(directory, keyId, { tenant, organization })) return
    throw badRequest('APPROVER_NOT_FOUND', `the subject ${keyId} is disabled`, pointer)
  }
  const key = ofKind(directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')
  const expiresAt = key?.context.expiresAt ?? null
  const isUsable =
    key?.tenant === tenant &&
    isKeyEnabled(directory, key) &&
    (expiresAt === null || Date.parse(expiresAt) > platform.clock.now())
  if (!isUsable) throw badRequest('APPROVER_NOT_FOUND', `no active API key ${keyId} of this tenant`, pointer)
  if (!key.context.roles.includes('DEBIT_LIMIT_APPROVE'))
    throw badRequest('APPROVER_NOT_FOUND', `API key ${keyId} lacks the role DEBIT_LIMIT_APPROVE`, pointer)
}

/** Throws 400 `TOO_MANY_POLICIES`. */
export function checkPolicyCount({ engine }: Platform, tenant: string): void {
  if (engine.directory.find(policiesKey(tenant)).length < MAX_POLICIES_OF_TENANT) return
  throw badRequest(
    'TOO_MANY_POLICIES',
    `a tenant has at most ${MAX_POLICIES_OF_TENANT} approval policies that are not removed`,
    '',
  )
}

export interface NamedPolicy {
  readonly entry: Entry
  readonly policy: RecordState<'approvalPolicy'>
}

/** A policy of the organization acted for, in this cluster. Throws 400 `POLICY_NOT_FOUND`. */
export function policyNamed(
  { platform: { engine }, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): NamedPolicy {
  const entry = engine.directory.resident(offchainId)
  const policy = ofKind(entry?.head, 'approvalPolicy')
  const isOwn = policy?.tenant === tenant && policy.cluster === cluster && policy.context.organization === organization
  if (entry !== undefined && policy !== undefined && isOwn) return { entry, policy }
  throw badRequest('POLICY_NOT_FOUND', 'the organization has no approval policy with this id', '/itemData/offchainId')
}
