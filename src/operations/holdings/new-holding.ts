// The record of a new account, from the body's member (interface 2.5): who may say what, and what the defaults are.
import { addressKey, organizationKey, apiKeyKey, referenceIdentityKey } from '../../engine/index-keys.ts'
import { ofKind } from '../../engine/record.ts'
import type { AccountType, Holding, References } from '../../../machines/holding.ts'
import { SYSTEM_PROGRAM } from '../../chain/address.ts'
import type { Call } from '../call.ts'
import type { NewAccountInput, OffchainReferencesInput } from '../input.ts'
import type { Platform } from '../platform.ts'
import { badRequest, conflict, forbidden, type Refusal } from '../refusal.ts'
import { SYSTEM_TENANT } from '../tenancy.ts'
import { debitLimits } from './debit-limits.ts'
import { holdingOf, type Party } from '../resolve/party.ts'
import type { AccountKey } from './keys.ts'

/** What the body does not say: decided by the operation. */
export interface HoldingGround {
  readonly address: string
  readonly key: AccountKey | null
  readonly type: AccountType
  readonly ownerProgram?: string
  readonly dataLength?: number
  readonly lamports?: bigint
  readonly isDerived?: boolean
  /** Who pays its rent now; remembered when that is another organization. */
  readonly feePayer?: Party
}

export function newHolding(platform: Platform, call: Call, input: NewAccountInput, ground: HoldingGround, pointer: string): Holding {
  const references = newReferences(platform, call, input.offchainReferences, ground.type, `${pointer}/offchainReferences`)
  checkRights(platform, call, input, ground.dataLength ?? input.dataLength ?? 0, pointer)
  return {
    address: ground.address,
    organization: references.organizationExternalId,
    managed: ground.key !== null,
    keyOrigin: ground.key?.origin ?? 'none',
    keyLocation: ground.key === null ? [] : [ground.key.location],
    references,
    comments: input.comments ?? null,
    domain: input.domain ?? null,
    isDerived: ground.isDerived ?? input.isDerived ?? false,
    isGenesis: input.isGenesis ?? false,
    subscribeToNetworkEvents: input.subscribeToNetworkEvents ?? false,
    shared: input.shareAcrossTenants ?? false,
    wasOnchainAlready: input.alreadyOnchain ?? false,
    canPayFees: input.canPayFees ?? false,
    globalFeePayerForOrgs: input.globalFeePayerForOrgs ?? null,
    orgsAllowedToSignWithPrivateKey: input.orgsAllowedToSignWithPrivateKey ?? null,
    solDebitApiKeys: input.solDebitApiKeys ?? null,
    tokenDebitApiKeys: input.tokenDebitApiKeys ?? null,
    networkCurrencyDebitLimits: debitLimits(platform, call, input.networkCurrencyDebitLimits, `${pointer}/networkCurrencyDebitLimits`),
    tokenDebitLimits: debitLimits(platform, call, input.tokenDebitLimits, `${pointer}/tokenDebitLimits`),
    frozenByOperator: false,
    dataLength: ground.dataLength ?? 0,
    ownerProgram: ground.ownerProgram ?? SYSTEM_PROGRAM,
    lamports: { balance: (ground.lamports ?? 0n).toString(), reserved: '0' },
    rentPayer: rentPayerOf(call, ground.feePayer),
    creation: null,
    last: null,
  }
}

/** Rent that another organization's fee payer pays is owed there when the account closes. */
function rentPayerOf(call: Call, feePayer: Party | undefined): Holding['rentPayer'] {
  const payer = feePayer === undefined ? null : holdingOf(feePayer)
  if (payer === null || payer.context.organization === call.organization) return null
  return { organization: payer.context.organization, address: payer.context.address }
}

/** Refuses an address or references that a live record of the tenant has. To be asked in the stretch that creates the record. */
export function checkUnique(
  platform: Platform,
  call: Call,
  holding: Holding,
  pointer: string,
  refuse: typeof conflict | typeof badRequest = conflict,
): void {
  const { directory } = platform.engine
  const sameAddress = directory.find(addressKey(call.cluster, holding.address)).some(({ head }) => head.tenant === call.tenant)
  if (sameAddress) throw duplicate(refuse, `an account with onchainId ${holding.address} exists already`, `${pointer}/onchainId`)
  const { references } = holding
  if (references.code === null && references.accountNumber === null) return
  if (directory.first(referenceIdentityKey(call.tenant, call.cluster, references)) !== undefined) {
    throw duplicate(
      refuse,
      'an account with the same organizationExternalId, accountNumber, code and type exists already',
      `${pointer}/offchainReferences`,
    )
  }
}

function duplicate(refuse: (code: string, message: string, pointer?: string) => Refusal, message: string, pointer: string): Refusal {
  return refuse('ALREADY_EXISTS', message, pointer)
}

function newReferences(
  platform: Platform,
  call: Call,
  input: OffchainReferencesInput | undefined,
  type: AccountType,
  pointer: string,
): References {
  return {
    type,
    organizationExternalId: owningOrganization(platform, call, input?.organizationExternalId, `${pointer}/organizationExternalId`),
    code: input?.code ?? null,
    alId: input?.alId ?? null,
    accountNumber: input?.accountNumber ?? null,
    name: input?.name ?? null,
  }
}

/** The caller's organization, or another of its tenant that it may act for. */
function owningOrganization(platform: Platform, call: Call, named: string | undefined, pointer: string): string {
  if (named === undefined || named === call.organization) return call.organization
  const organization = ofKind(platform.engine.directory.first(organizationKey(named))?.head, 'organization')
  if (organization === undefined || organization.tenant !== call.tenant)
    throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${named} in this tenant`, pointer)
  if (!call.caller.roles.has('ORGANIZATION_OVERRIDE'))
    throw forbidden('ROLE_REQUIRED', 'role ORGANIZATION_OVERRIDE is required to name another organization', pointer)
  return named
}

function checkRights(platform: Platform, call: Call, input: NewAccountInput, dataLength: number, pointer: string): void {
  if (input.shareAcrossTenants === true && call.tenant !== SYSTEM_TENANT) {
    throw forbidden('SHARING_NOT_ALLOWED', 'only the system tenant shares accounts across tenants', `${pointer}/shareAcrossTenants`)
  }
  if (input.canPayFees === true && dataLength > 0) {
    throw badRequest('FEE_PAYER_INVALID', 'an account with data cannot pay fees', `${pointer}/canPayFees`)
  }
  for (const member of ['solDebitApiKeys', 'tokenDebitApiKeys'] as const)
    checkDebitKeyList(platform, call, input[member], `${pointer}/${member}`)
  for (const member of ['globalFeePayerForOrgs', 'orgsAllowedToSignWithPrivateKey'] as const) {
    for (const [index, organization] of (input[member] ?? []).entries()) {
      if (platform.engine.directory.first(organizationKey(organization)) === undefined) {
        throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${organization}`, `${pointer}/${member}/${index}`)
      }
    }
  }
}

function checkDebitKeyList(platform: Platform, call: Call, keys: readonly string[] | undefined, pointer: string): void {
  if (keys === undefined || keys.length === 0) return
  if (!call.caller.roles.has('PLATFORM_UPDATE_DEBIT_API_KEYS')) {
    throw forbidden('ROLE_REQUIRED', 'role PLATFORM_UPDATE_DEBIT_API_KEYS is required to restrict debits to API keys', pointer)
  }
  for (const [index, keyId] of keys.entries()) {
    const key = platform.engine.directory.first(apiKeyKey(keyId))
    if (key?.head.tenant !== call.tenant) throw badRequest('API_KEY_NOT_FOUND', `no API key ${keyId} in this tenant`, `${pointer}/${index}`)
  }
}
