// Decodes a lookup table on chain into the terms of its record.
import { decodeLookupTable } from '../../solana/system-layout.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { LookupTableInput, TableContents } from '../../../machines/lookup-table.ts'
import { accountOf } from '../lookup/party.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'

/** Tenant and cluster of the record; `authority` is the recorded one, if any. */
interface Whose {
  readonly tenant: string
  readonly cluster: string
  readonly authority?: AccountRef | null
}

/** Throws FormatError if the account is not a lookup table. */
export function tableContents(platform: Platform, whose: Whose, account: ChainAccount): TableContents {
  const { authority, addresses, lastExtendedSlot, deactivationSlot } = decodeLookupTable(account.data, account.owner)
  return {
    authority: authority === null ? null : refer(platform, whose, authority),
    addresses,
    extendedAtSlot: lastExtendedSlot === 0n ? null : Number(lastExtendedSlot),
    deactivatedAtSlot: deactivationSlot === null ? null : Number(deactivationSlot),
  }
}

function refer(platform: Platform, { tenant, cluster, authority }: Whose, address: string): AccountRef {
  if (authority?.address === address) return authority
  return accountOf(platform, { tenant, cluster }, address)
}

export function stateOfContents({ authority, deactivatedAtSlot }: TableContents): LookupTableInput['state'] {
  return authority === null ? 'frozen' : deactivatedAtSlot === null ? 'active' : 'deactivating'
}
