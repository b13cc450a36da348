// POST /financial-instruments/single/circulating-supply: the books beside the chain. A difference is folded in when nothing is under way.
import { FormatError } from '../chain/format-error.ts'
import { decodeMint } from '../chain/mint-layout.ts'
import { ofKind } from '../engine/record.ts'
import type { ItemBody } from './input.ts'
import type { CirculatingSupplyInput } from './instrument-input.ts'
import type { ChainAccount, Read } from './platform.ts'
import { applyScale, multiplierNow } from './read-models/scale.ts'
import { reconcile } from './reconcile.ts'
import { resolveRecord } from './resolve/account.ts'
import { INSTRUMENT_NOT_FOUND } from './tokens/named-instrument.ts'
import { clusterOf } from './transact/transact.ts'

const POINTER = '/itemData/financialInstrument'

export const circulatingSupply: Read<ItemBody<CirculatingSupplyInput>> = async (platform, call, { itemData }) => {
  const entry = resolveRecord(platform, call, itemData.financialInstrument, POINTER, INSTRUMENT_NOT_FOUND)
  await reconcile(platform, call.cluster, [entry.head])
  const state = ofKind(entry.committed, 'instrument')
  if (state === undefined)
    throw INSTRUMENT_NOT_FOUND.refuse(INSTRUMENT_NOT_FOUND.code, 'the account named is not a financial instrument', POINTER)
  const { address, decimals, supply } = state.context
  const multiplier = multiplierNow(platform, state.context)
  const [account] = await clusterOf(platform, call).accounts([address])
  const onchain = supplyOf(account ?? null)
  const offchain = BigInt(supply.balance)
  return {
    onchainCirculatingSupply: applyScale(onchain, decimals, multiplier),
    offchainCirculatingSupply: applyScale(offchain, decimals, multiplier),
    outOfBalance: onchain !== offchain,
  }
}

/** 0 of a mint that is not there yet, or not any more. */
function supplyOf(account: ChainAccount | null): bigint {
  if (account === null) return 0n
  try {
    return decodeMint(account.data, account.owner).supply
  } catch (error) {
    if (error instanceof FormatError) return 0n
    throw error
  }
}
