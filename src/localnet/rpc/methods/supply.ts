// Lamports of the whole chain, and where most of them are. Nothing is locked: all of them circulate.

import type { Bank } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { viewOf, withContext } from '../context.ts'
import type { MethodTable } from '../method.ts'
import { booleanOf, configAt, oneOf } from '../params.ts'

const LARGEST_ACCOUNTS = 20

export function supplyMethods(bank: Bank): MethodTable {
  return {
    getSupply: (params) => {
      const config = configAt(params, 0)
      booleanOf(config['excludeNonCirculatingAccountsList'], false)
      const { slot } = viewOf(bank, config)
      let total = 0n
      for (const { account } of bank.allAccounts()) total += account.lamports
      return withContext(slot, { total, circulating: total, nonCirculating: 0, nonCirculatingAccounts: [] })
    },
    getLargestAccounts: (params) => {
      const config = configAt(params, 0)
      const filter = config['filter']
      const isEmpty =
        filter !== undefined && filter !== null && oneOf(filter, ['circulating', 'nonCirculating']) === 'nonCirculating'
      const { slot } = viewOf(bank, config)
      return withContext(slot, isEmpty ? [] : largest(bank))
    },
  }
}

function largest(bank: Bank): unknown {
  const accounts: { readonly address: Uint8Array; readonly lamports: bigint }[] = []
  for (const { address, account } of bank.allAccounts()) {
    if (accounts.length === LARGEST_ACCOUNTS && account.lamports <= accounts.at(-1)!.lamports) continue
    const place = accounts.findIndex(({ lamports }) => lamports < account.lamports)
    accounts.splice(place < 0 ? accounts.length : place, 0, { address, lamports: account.lamports })
    if (accounts.length > LARGEST_ACCOUNTS) accounts.pop()
  }
  return accounts.map(({ address, lamports }) => ({ address: encodeBase58(address), lamports }))
}
