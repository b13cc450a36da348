// POST /positions/single/balance: the balance on chain beside the recorded one, in the units of the instrument.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { decodeTokenAccount } from '../../solana/token-layout.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { PositionLookup } from '../../contract/values/lookup.ts'
import type { Read, Context } from '../context/platform.ts'
import { ITEM, POSITION_NOT_FOUND, readablePosition } from './details.ts'
import { hidesBalances } from '../views/read-models/outside.ts'
import { tokenAmount } from '../views/read-models/position.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { nothingNamed } from '../lookup/account.ts'
import { instrumentOf } from '../lookup/instrument.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { BalanceModel } from '../../contract/schemas/answers.ts'

export const positionBalance: Read<ItemBody<PositionLookup>, BalanceModel> = async (context, { itemData }) => {
  const { platform, call } = context
  const { entry, state: seen } = readablePosition(context, itemData, ITEM)
  if (hidesBalances(call, seen))
    throw nothingNamed(POSITION_NOT_FOUND, itemData.position === undefined ? '/itemData' : '/itemData/position')
  await reconcile(platform, call.cluster, [entry.head, ...scaledBy(context, entry.head)])
  const state = ofKind(entry.committed, 'position')
  if (state === undefined) throw new Error(`position ${entry.head.id} has no committed state`)
  const [account] = await clusterOf(context).accounts([state.context.address])
  // Anybody can send network currency to the address of a closed position; the System program then owns the account.
  const isToken = account !== null && account !== undefined && account.owner !== SYSTEM_PROGRAM
  const onchain = isToken ? decodeTokenAccount(account.data, account.owner).amount : 0n
  const { balance, reserved } = state.context.tokens
  return {
    onchain: tokenAmount(context, state, onchain),
    offchain: tokenAmount(context, state, BigInt(balance)),
    reserved: tokenAmount(context, state, BigInt(reserved)),
    available: tokenAmount(context, state, BigInt(balance) - BigInt(reserved)),
    outOfBalance: onchain !== BigInt(balance),
  }
}

/** The instrument, if it has a multiplier: its authority may have changed the multiplier outside of this service. */
function scaledBy({ platform, call }: Context, head: RecordState): RecordState[] {
  const position = ofKind(head, 'position')
  const instrument =
    position === undefined ? undefined : instrumentOf(platform, call, head.cluster, position.context.mint.address)
  return instrument === undefined || instrument.context.scaledUiAmountMultiplier === null ? [] : [instrument]
}
