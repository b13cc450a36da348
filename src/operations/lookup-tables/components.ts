// Resolves the addresses that a request adds to a lookup table.
import { MAX_TABLE_ADDRESSES } from '../../solana/instructions/lookup-table.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { eachTogether } from '../../contract/together.ts'
import { payee, resolveParty, type PartyLookup } from '../lookup/account.ts'

/**
 * A plain address is accepted without a record, since a table only refers to it; `offPlatform` is then implied. With
 * `offPlatform` false the address must have a record.
 */
export function component(lookup: AccountLookup): PartyLookup {
  const {
    onchainId,
    offchainId,
    offchainReferences,
    offPlatform,
    otherTenantOrganizationExternalId: elsewhere,
  } = lookup
  const isAddress =
    onchainId !== undefined && offchainId === undefined && offchainReferences === undefined && elsewhere === undefined
  return isAddress && offPlatform === undefined ? { ...lookup, offPlatform: true } : payee(lookup)
}

/**
 * Duplicates are refused although the chain accepts them: an entry can never be removed and takes one of 256 places.
 *
 * Throws 400 `DUPLICATE_ADDRESS`, `TABLE_FULL`, and the refusals of lookups.
 */
export function componentAddresses(
  context: Context,
  lookups: readonly AccountLookup[],
  present: readonly string[],
  pointer: string,
): string[] {
  const taken = new Set(present)
  const addresses = eachTogether(lookups, (lookup, index) => {
    const at = `${pointer}/${index}`
    const { address } = resolveParty(context, component(lookup), at)
    if (taken.has(address)) throw badRequest('DUPLICATE_ADDRESS', `the table would contain ${address} twice`, at)
    taken.add(address)
    return address
  })
  if (taken.size > MAX_TABLE_ADDRESSES) {
    const there = present.length === 0 ? '' : `, ${present.length} are there`
    throw badRequest(
      'TABLE_FULL',
      `a table holds at most ${MAX_TABLE_ADDRESSES} addresses${there}: ${addresses.length} more do not fit`,
      pointer,
    )
  }
  return addresses
}
