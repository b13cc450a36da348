// Resolves the lookups in debit limit entries of a request.
import { apiKeyKey, organizationKey } from '../../../engine/index/index-keys.ts'
import { floorUnits, U64_MAX } from '../../../../machines/amount.ts'
import type { AccountRef, DebitLimit } from '../../../../machines/holding.ts'
import type { DebitLimitInput } from '../../../contract/schemas/debit-limit.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { NETWORK_DECIMALS } from './amounts.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { eachTogether, together } from '../../../contract/together.ts'
import { resolveParty } from '../../lookup/account.ts'
import { holdingOf } from '../../lookup/party.ts'

/** Of a list for network currency: the entries that are in force, which stay valid; null: there are none. */
interface NetworkCurrency {
  readonly inForce: readonly DebitLimit[] | null
}

/** null and absent: the defaults apply. An empty list: no limits. */
export function debitLimits(
  context: Context,
  input: readonly DebitLimitInput[] | null | undefined,
  pointer: string,
  networkCurrency?: NetworkCurrency,
): readonly DebitLimit[] | null {
  const { platform } = context
  if (input === null || input === undefined) return null
  return eachTogether(input, (entry, index) => {
    const at = `${pointer}/${index}`
    const { operationType, destination, organizationExternalId, maxAllowedDebit } = entry
    const [, , authority] = together(
      () => checkApprovers(context, entry, at),
      () => {
        if (organizationExternalId !== undefined)
          checkOrganization(platform, organizationExternalId, `${at}/organizationExternalId`)
      },
      () => mintAuthority(context, entry, `${at}/mintAuthority`),
      () => {
        if (networkCurrency !== undefined) checkLamports(entry, networkCurrency, `${at}/maxAllowedDebit/limitAmount`)
      },
    )
    const ofFees = organizationExternalId === undefined ? {} : { organizationExternalId }
    return {
      operationType,
      destination,
      ...ofFees,
      mintAuthority: authority,
      maxAllowedDebit,
    }
  })
}

/** An amount below one lamport is rounded down, as for tokens. Throws 400 `OVER_U64`. */
function checkLamports({ maxAllowedDebit }: DebitLimitInput, { inForce }: NetworkCurrency, pointer: string): void {
  const amount = maxAllowedDebit?.limitAmount ?? null
  if (amount === null || (floorUnits(amount, NETWORK_DECIMALS) ?? 0n) <= U64_MAX) return
  if (inForce?.some((known) => known.maxAllowedDebit?.limitAmount === amount) === true) return
  throw badRequest('OVER_U64', `${amount} is over ${U64_MAX} lamports`, pointer)
}

function checkOrganization(platform: Platform, externalId: string, pointer: string): void {
  if (platform.engine.directory.first(organizationKey(externalId)) === undefined)
    throw badRequest('ORGANIZATION_NOT_FOUND', `no organization ${externalId}`, pointer)
}

/** The address decides, with or without a record. The id of another tenant's record is not revealed. */
function mintAuthority(
  context: Context,
  { mintAuthority: lookup }: DebitLimitInput,
  pointer: string,
): AccountRef | null {
  const { call } = context
  if (lookup === undefined) return null
  const party = resolveParty(context, lookup, pointer)
  const state = holdingOf(party)
  return {
    address: party.address,
    id: state !== null && (state.tenant === call.tenant || state.context.shared) ? state.id : null,
  }
}

function checkApprovers({ platform, call }: Context, entry: DebitLimitInput, pointer: string): void {
  const allowed = entry.maxAllowedDebit
  if (allowed === null) return
  const approvers = new Set(allowed.approversForOverride)
  eachTogether([...approvers], (keyId) => {
    if (platform.engine.directory.firstOwn(apiKeyKey(keyId))?.head.tenant !== call.tenant) {
      throw badRequest(
        'API_KEY_NOT_FOUND',
        `no API key ${keyId} in this tenant`,
        `${pointer}/maxAllowedDebit/approversForOverride`,
      )
    }
  })
  if (approvers.size < allowed.requiredApproversCount) {
    const message = `${allowed.requiredApproversCount} approvers are required, ${approvers.size} are named`
    throw badRequest('TOO_FEW_APPROVERS', message, `${pointer}/maxAllowedDebit/requiredApproversCount`)
  }
}
