// Checks members of a request that give rights to others; the same rules apply to the creation and the update of an
// account.
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import type { Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { eachTogether, together } from '../../contract/together.ts'
import { SYSTEM_TENANT } from '../../contract/tenancy.ts'

export interface GuardedMembers {
  readonly shareAcrossTenants?: boolean | undefined
  readonly canPayFees?: boolean | null | undefined
  readonly solDebitApiKeys?: readonly string[] | null | undefined
  readonly tokenDebitApiKeys?: readonly string[] | null | undefined
  readonly globalFeePayerForOrgs?: readonly string[] | null | undefined
  readonly orgsAllowedToSignWithPrivateKey?: readonly string[] | null | undefined
}

/**
 * Throws 403 `SHARING_NOT_ALLOWED`, `ROLE_REQUIRED`, 400 `FEE_PAYER_INVALID`, `ORGANIZATION_NOT_FOUND`,
 * `API_KEY_NOT_FOUND`.
 */
export function checkMembers(context: Context, input: GuardedMembers, dataLength: number, pointer: string): void {
  const { platform, call } = context
  if (input.shareAcrossTenants === true && call.tenant !== SYSTEM_TENANT) {
    throw forbidden(
      'SHARING_NOT_ALLOWED',
      'only the system tenant may share accounts across tenants',
      `${pointer}/shareAcrossTenants`,
    )
  }
  const organizationsOf = (member: 'globalFeePayerForOrgs' | 'orgsAllowedToSignWithPrivateKey'): void => {
    eachTogether(input[member] ?? [], (organization, index) => {
      if (platform.engine.directory.first(organizationKey(organization)) === undefined)
        throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${organization}`, `${pointer}/${member}/${index}`)
    })
  }
  together(
    () => checkPaysFees(input, dataLength, pointer),
    () => checkDebitKeyList(context, input.solDebitApiKeys, `${pointer}/solDebitApiKeys`),
    () => checkDebitKeyList(context, input.tokenDebitApiKeys, `${pointer}/tokenDebitApiKeys`),
    () => organizationsOf('globalFeePayerForOrgs'),
    () => organizationsOf('orgsAllowedToSignWithPrivateKey'),
  )
}

function checkPaysFees(input: GuardedMembers, dataLength: number, pointer: string): void {
  const pays = paysFees(input)
  if (pays !== undefined && dataLength > 0)
    throw badRequest('FEE_PAYER_INVALID', 'an account with data cannot pay fees', `${pointer}/${pays}`)
}

/** The member that makes the account a fee payer. */
function paysFees({ canPayFees, globalFeePayerForOrgs }: GuardedMembers): keyof GuardedMembers | undefined {
  if (canPayFees === true) return 'canPayFees'
  return (globalFeePayerForOrgs ?? []).length > 0 ? 'globalFeePayerForOrgs' : undefined
}

function checkDebitKeyList(
  { platform, call }: Context,
  keys: readonly string[] | null | undefined,
  pointer: string,
): void {
  if (keys === undefined || keys === null || keys.length === 0) return
  if (!call.caller.roles.has('PLATFORM_UPDATE_DEBIT_API_KEYS')) {
    throw forbidden(
      'ROLE_REQUIRED',
      'role PLATFORM_UPDATE_DEBIT_API_KEYS is required to restrict debits to API keys',
      pointer,
    )
  }
  eachTogether(keys, (keyId, index) => {
    const key = platform.engine.directory.firstOwn(apiKeyKey(keyId))
    if (key?.head.tenant !== call.tenant)
      throw badRequest('API_KEY_NOT_FOUND', `no API key ${keyId} in this tenant`, `${pointer}/${index}`)
  })
}
