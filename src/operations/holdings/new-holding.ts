// Builds the holding of a new account from the request: rights, validation and defaults.
import { addressKey, organizationKey, referenceIdentityKey } from '../../engine/index/index-keys.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { AccountType, Holding, References } from '../../../machines/holding.ts'
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import type { Call } from '../../contract/call.ts'
import type { NewAccountInput } from '../../contract/schemas/new-account.ts'
import type { OffchainReferencesInput } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, conflict, forbidden, type Refusal } from '../../contract/refusal.ts'
import { isLeftFrozen } from '../authorization/signers.ts'
import { debitLimits } from '../views/read-models/debit-limits.ts'
import { checkMembers } from './member-rights.ts'
import { checkNewPolicy, isAccountPolicyCovered } from './policy.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import { sharingOf } from '../transactions/shared-call.ts'
import { isSetByPolicyKey } from '../../contract/holding-types.ts'
import { isAboveOthersIn } from '../../contract/tenancy.ts'
import { addressPlan, type AccountKey, type NewAddress, type NewKeyUse } from './keys.ts'
import { together } from '../../contract/together.ts'

/** Values decided by the operation, not by the request. */
export interface NewHoldingInputs {
  readonly address: string
  readonly key: AccountKey | null
  readonly type: AccountType
  readonly ownerProgram?: string
  readonly dataLength?: number
  readonly lamports?: bigint
  readonly isDerived?: boolean
  /** The current payer of the rent; recorded if it belongs to another organization. */
  readonly feePayer?: Party
  /** Of the token debit limits, if they are not a member of the account. */
  readonly limitsPointer?: string
}

export function newHolding(
  context: Context,
  input: NewAccountInput,
  inputs: NewHoldingInputs,
  pointer: string,
): Holding {
  const { platform, call } = context
  const { limitsPointer } = inputs
  const terms = { type: inputs.type, dataLength: inputs.dataLength ?? input.dataLength ?? 0, limitsPointer }
  const { references, at, networkCurrencyDebitLimits, tokenDebitLimits } = resolvedMembers(
    context,
    input,
    terms,
    pointer,
  )
  const defaults: Holding = {
    address: inputs.address,
    organization: references.organizationExternalId,
    managed: inputs.key !== null,
    keyOrigin: inputs.key?.origin ?? 'none',
    keyLocation: inputs.key === null ? [] : [inputs.key.location],
    references,
    comments: input.comments ?? null,
    domain: input.domain ?? null,
    isDerived: inputs.isDerived ?? input.isDerived ?? false,
    isGenesis: input.isGenesis ?? false,
    subscribeToNetworkEvents: input.subscribeToNetworkEvents ?? false,
    shared: input.shareAcrossTenants ?? false,
    wasOnchainAlready: input.alreadyOnchain ?? false,
    ...policyMembers(input),
    solDebitApiKeys: input.solDebitApiKeys ?? null,
    tokenDebitApiKeys: input.tokenDebitApiKeys ?? null,
    networkCurrencyDebitLimits,
    tokenDebitLimits,
    frozenByOperator: isLeftFrozen(platform.engine.directory, call, inputs.address),
    dataLength: inputs.dataLength ?? 0,
    ownerProgram: inputs.ownerProgram ?? SYSTEM_PROGRAM,
    lamports: { balance: (inputs.lamports ?? 0n).toString(), reserved: '0' },
    rentPayer: rentPayerOf(call, inputs.feePayer),
    creation: null,
    last: null,
    madeAt: new Date(platform.clock.now()).toISOString(),
  }
  const { destinationPolicy } = input
  const holding = destinationPolicy === undefined ? defaults : { ...defaults, destinationPolicy }
  checkNewPolicy(context, holding, at)
  const byPolicy = isSetByPolicyKey(call.caller, holding) && !isAccountPolicyCovered(context, at.organization)
  return byPolicy ? { ...holding, setByPolicyKey: true } : holding
}

/** What decides about the members of a new account, besides the request. */
export interface MemberTerms {
  readonly type: AccountType
  readonly dataLength?: number
  /** Of the token debit limits, if they are not a member of the account. */
  readonly limitsPointer?: string | undefined
}

/**
 * As `addressPlan`, together with the checks of the other members, which `newHolding` repeats in the unit of work: a
 * refused request makes no key.
 */
export function newAccountPlan(
  context: Context,
  input: NewAccountInput,
  { use, ...terms }: MemberTerms & { readonly use?: NewKeyUse },
  pointer: string,
): () => Promise<NewAddress> {
  const [plan] = together(
    () => addressPlan(context, input, pointer, use),
    () => checkNewHolding(context, input, terms, pointer),
  )
  return plan
}

/** The checks of `newHolding`, before the address of the account is known. */
export function checkNewHolding(context: Context, input: NewAccountInput, terms: MemberTerms, pointer: string): void {
  resolvedMembers(context, input, { dataLength: input.dataLength ?? 0, ...terms }, pointer)
}

function resolvedMembers(
  context: Context,
  input: NewAccountInput,
  { type, dataLength = 0, limitsPointer }: MemberTerms,
  pointer: string,
) {
  const tokenPointer = limitsPointer ?? `${pointer}/tokenDebitLimits`
  const pointerTo = (member: string): string => (member === 'tokenDebitLimits' ? tokenPointer : `${pointer}/${member}`)
  const networkPointer = pointerTo('networkCurrencyDebitLimits')
  const policy = { networkCurrencyDebitLimits: null, tokenDebitLimits: null, ...policyMembers(input) }
  const { organization: callers } = context.call
  const [references, , , networkCurrencyDebitLimits, tokenDebitLimits] = together(
    () => newReferences(context, input.offchainReferences, type, `${pointer}/offchainReferences`),
    () => checkNewPolicy(context, policy, { organization: callers, pointerTo }),
    () => checkMembers(context, input, dataLength, pointer),
    () => debitLimits(context, input.networkCurrencyDebitLimits, networkPointer, { inForce: null }),
    () => debitLimits(context, input.tokenDebitLimits, tokenPointer),
  )
  const { organizationExternalId: organization } = references
  const at = { organization, pointerTo }
  if (organization !== callers) checkNewPolicy(context, policy, at)
  return { references, at, networkCurrencyDebitLimits, tokenDebitLimits }
}

function policyMembers({ canPayFees, globalFeePayerForOrgs, orgsAllowedToSignWithPrivateKey }: NewAccountInput) {
  return {
    canPayFees: canPayFees ?? false,
    globalFeePayerForOrgs: globalFeePayerForOrgs ?? null,
    orgsAllowedToSignWithPrivateKey: orgsAllowedToSignWithPrivateKey ?? null,
  }
}

/** Rent paid by another organization's fee payer is owed to that account when the new account is closed. */
function rentPayerOf(call: Call, feePayer: Party | undefined): Holding['rentPayer'] {
  const payer = feePayer === undefined ? null : holdingOf(feePayer)
  if (payer === null || payer.context.organization === call.organization) return null
  return { organization: payer.context.organization, address: payer.context.address }
}

/**
 * Refuses an address or references that a live record of the tenant has. Call it in the unit of work that creates the
 * record. Throws `ALREADY_EXISTS`.
 */
export function checkUnique(
  context: Context,
  holding: Holding,
  pointer: string,
  refuse: typeof conflict | typeof badRequest = conflict,
): void {
  const { platform, call } = context
  const { directory } = platform.engine
  const key = addressKey(call.cluster, holding.address)
  const sameAddress = (): Refusal =>
    duplicate(refuse, `an account with onchainId ${holding.address} exists already`, `${pointer}/onchainId`)
  together(
    () => {
      if (directory.searchOwn(key).some(({ head }) => head.tenant === call.tenant)) throw sameAddress()
    },
    () => checkReferencesFree(context, holding.references, `${pointer}/offchainReferences`, { refuse }),
  )
  sharingOf(call).take?.(key, sameAddress)
}

/**
 * Refuses references that another live record of the tenant has. Throws `ALREADY_EXISTS`.
 *
 * @param self id of the record they are for
 */
export function checkReferencesFree(
  { platform, call }: Context,
  references: References,
  pointer: string,
  { refuse, self }: { readonly refuse: typeof conflict | typeof badRequest; readonly self?: string | undefined },
): void {
  if (references.code === null && references.accountNumber === null) return
  const key = referenceIdentityKey(call.tenant, call.cluster, references)
  const sameReferences = (): Refusal =>
    duplicate(
      refuse,
      'an account with the same organizationExternalId, accountNumber, code and type exists already',
      pointer,
    )
  if (platform.engine.directory.search(key).some(({ head }) => head.id !== self)) throw sameReferences()
  sharingOf(call).take?.(key, sameReferences)
}

function duplicate(
  refuse: (code: string, message: string, pointer?: string) => Refusal,
  message: string,
  pointer: string,
): Refusal {
  return refuse('ALREADY_EXISTS', message, pointer)
}

function newReferences(
  context: Context,
  input: OffchainReferencesInput | undefined,
  type: AccountType,
  pointer: string,
): References {
  return {
    type,
    organizationExternalId: owningOrganization(
      context,
      input?.organizationExternalId,
      `${pointer}/organizationExternalId`,
    ),
    code: input?.code ?? null,
    alId: input?.alId ?? null,
    accountNumber: input?.accountNumber ?? null,
    name: input?.name ?? null,
  }
}

/**
 * The organization acted for, or another one of its tenant that the caller may act for. Throws 400
 * `ORGANIZATION_NOT_FOUND`, 403 `ROLE_REQUIRED`, `OVERRIDE_NOT_ALLOWED`.
 */
function owningOrganization({ platform, call }: Context, named: string | undefined, pointer: string): string {
  if (named === undefined || named === call.organization) return call.organization
  const organization = ofKind(platform.engine.directory.firstOwn(organizationKey(named))?.head, 'organization')
  if (organization === undefined || organization.tenant !== call.tenant)
    throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${named} in this tenant`, pointer)
  if (!call.caller.roles.has('ORGANIZATION_OVERRIDE'))
    throw forbidden('ROLE_REQUIRED', 'role ORGANIZATION_OVERRIDE is required to use another organization', pointer)
  if (named !== call.caller.organization && !isAboveOthersIn(call.tenant, call.caller))
    throw forbidden('OVERRIDE_NOT_ALLOWED', 'API key may not act for the given organization', pointer)
  return named
}
