// POST /accounts/single/balance: the balance on chain beside the recorded one. A difference is recorded if no
// transaction of the account is under way.
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import { ACCOUNT_NOT_FOUND } from './details.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Read } from '../context/platform.ts'
import { amountPair, NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import { hidesBalances } from '../views/read-models/outside.ts'
import { recordIfDecided } from '../reconcile/reconcile.ts'
import { nothingNamed, resolveRecord } from '../lookup/account.ts'
import { holdingState } from '../lookup/party.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { BalanceModel } from '../../contract/schemas/answers.ts'

export const accountBalance: Read<ItemBody<AccountLookup>, BalanceModel> = async (context, { itemData }) => {
  const { platform, call } = context
  const entry = resolveRecord(context, itemData, '/itemData', ACCOUNT_NOT_FOUND)
  if (hidesBalances(call, holdingState(entry))) throw nothingNamed(ACCOUNT_NOT_FOUND, '/itemData')
  await recordIfDecided(platform, call.cluster, entry)
  const state = entry.committed
  if (state === undefined || !isHolding(state)) throw new Error(`account ${entry.head.id} has no committed state`)
  const [account] = await clusterOf(context).accounts([state.context.address])
  return networkBalances(state, account?.lamports ?? 0n)
}

function networkBalances(state: HoldingState, onchain: bigint): BalanceModel {
  const offchain = BigInt(state.context.lamports.balance)
  const reserved = BigInt(state.context.lamports.reserved)
  return {
    onchain: amountPair(onchain, NETWORK_DECIMALS),
    offchain: amountPair(offchain, NETWORK_DECIMALS),
    reserved: amountPair(reserved, NETWORK_DECIMALS),
    available: amountPair(offchain - reserved, NETWORK_DECIMALS),
    outOfBalance: onchain !== offchain,
  }
}
