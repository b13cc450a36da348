// POST /accounts/single: the record of an account of any kind.
import { isHolding } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Read } from '../context/platform.ts'
import { accountTextSeenBy } from '../views/read-models/outside.ts'
import { notFound } from '../../contract/refusal.ts'
import { resolveRecord } from '../lookup/account.ts'
import type { JsonOf } from '../../contract/json-bytes.ts'
import type { AccountModel } from '../../contract/schemas/answers.ts'

export const ACCOUNT_NOT_FOUND = { code: 'ACCOUNT_NOT_FOUND', refuse: notFound }

export const accountDetails: Read<ItemBody<AccountLookup>, JsonOf<AccountModel>> = (context, { itemData }) => {
  const { platform, call } = context
  const { committed } = resolveRecord(context, itemData, '/itemData', ACCOUNT_NOT_FOUND)
  if (committed === undefined || !isHolding(committed))
    throw notFound('ACCOUNT_NOT_FOUND', 'no such account', '/itemData')
  return accountTextSeenBy(platform, call, committed)
}
