// POST /address-lookup-tables/single: a table with its addresses.
import { ofKind } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Read } from '../context/platform.ts'
import { lookupTableModel } from '../views/read-models/lookup-table.ts'
import { nothingNamed, resolveRecord } from '../lookup/account.ts'
import { TABLE_NOT_FOUND } from './named.ts'
import type { LookupTableModel } from '../../contract/schemas/answers.ts'

export const lookupTableDetails: Read<ItemBody<AccountLookup>, LookupTableModel> = (context, { itemData }) => {
  const { committed } = resolveRecord(context, itemData, '/itemData', TABLE_NOT_FOUND)
  const table = ofKind(committed, 'lookupTable')
  if (table === undefined) throw nothingNamed(TABLE_NOT_FOUND, '/itemData')
  return lookupTableModel(context, table)
}
