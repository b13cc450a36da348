// POST /financial-instruments/single/circulating-supply: the supply on chain beside the recorded one. A difference is
// recorded if no transaction of the instrument is under way.
import { FormatError } from '../../solana/format-error.ts'
import { decodeMint } from '../../solana/mint-layout.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { CirculatingSupplyInput } from '../../contract/schemas/instrument.ts'
import type { ChainAccount, Read } from '../context/platform.ts'
import { applyScale, multiplierNow } from '../views/read-models/scale.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { resolveRecord } from '../lookup/account.ts'
import { namedAsInstrument } from '../lookup/instrument.ts'
import { INSTRUMENT_NOT_FOUND } from './named.ts'
import { clusterOf } from '../transactions/transact.ts'
import type { CirculatingSupplyModel } from '../../contract/schemas/answers.ts'

const POINTER = '/itemData/financialInstrument'

export const circulatingSupply: Read<ItemBody<CirculatingSupplyInput>, CirculatingSupplyModel> = async (
  context,
  { itemData },
) => {
  const { platform, call } = context
  const entry = resolveRecord(
    context,
    namedAsInstrument(context, itemData.financialInstrument),
    POINTER,
    INSTRUMENT_NOT_FOUND,
  )
  await reconcile(platform, call.cluster, [entry.head])
  const state = ofKind(entry.committed, 'instrument')
  if (state === undefined)
    throw INSTRUMENT_NOT_FOUND.refuse(INSTRUMENT_NOT_FOUND.code, 'the account is not a financial instrument', POINTER)
  const { address, decimals, supply } = state.context
  const multiplier = multiplierNow(platform, state.context)
  const [account] = await clusterOf(context).accounts([address])
  const onchain = supplyOf(account ?? null)
  const offchain = BigInt(supply.balance)
  return {
    onchainCirculatingSupply: applyScale(onchain, decimals, multiplier),
    offchainCirculatingSupply: applyScale(offchain, decimals, multiplier),
    outOfBalance: onchain !== offchain,
  }
}

/** 0 if the mint does not exist, or is closed. */
function supplyOf(account: ChainAccount | null): bigint {
  if (account === null) return 0n
  try {
    return decodeMint(account.data, account.owner).supply
  } catch (error) {
    if (error instanceof FormatError) return 0n
    throw error
  }
}
