// POST /positions/burn
import { memo } from '../chain/instructions/memo.ts'
import { burnChecked } from '../chain/instructions/token.ts'
import type { BurnInput, TransactionBody } from './input.ts'
import type { Write } from './platform.ts'
import { badRequest } from './refusal.ts'
import { resolvePosition } from './resolve/position.ts'
import { isFrozen, tokenProgramAndMint } from './tokens/destination.ts'
import { freezing } from './tokens/freezing.ts'
import { knownSource, refreshed, sourceAuthority } from './tokens/source.ts'
import { checkSupplyOpen, tokenUnits } from './tokens/units.ts'
import { feePayerOf } from './transact/fee-payer.ts'
import { transact } from './transact/transact.ts'

const COMPUTE_UNITS = 100_000

export const burnTokens: Write<TransactionBody<BurnInput>> = async (platform, call, { itemData, chainTransactionConfig }) => {
  if (itemData.burnEntireBalance === true) await refreshed(platform, call, itemData.source, '/itemData/source')
  return await transact(platform, call, chainTransactionConfig, () => {
    const feePayer = feePayerOf(platform, call, chainTransactionConfig)
    const position = resolvePosition(platform, call, itemData.source, '/itemData/source')
    const source = knownSource(position, '/itemData/source')
    const { instrument, state } = source
    checkSupplyOpen(instrument, '/itemData/source')
    const authority = sourceAuthority(platform, call, source, itemData.permanentDelegate ?? false, '/itemData/permanentDelegate')
    const amount =
      itemData.burnEntireBalance === true
        ? source.entireBalance('/itemData/burnEntireBalance')
        : tokenUnits(instrument, itemData, '/itemData')
    const frozen = isFrozen(state, instrument)
    const switches = { thaw: itemData.unfreezeSource ?? false, freeze: itemData.freezeSource ?? false }
    const freeze = freezing(
      platform,
      call,
      instrument,
      state.context.address,
      frozen,
      switches,
      position.freezeAuthority,
      '/itemData/unfreezeSource',
    )
    if (frozen && freeze.before.length === 0) throw badRequest('POSITION_FROZEN', 'the source is frozen', '/itemData/source')
    return {
      instructions: [
        ...freeze.before,
        burnChecked({ ...tokenProgramAndMint(instrument), source: state.context.address, authority: authority.address, amount }),
        ...freeze.after,
        ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
      ],
      feePayer,
      parties: [authority, freeze.authority],
      computeUnits: COMPUTE_UNITS,
      shape: 'bare',
    }
  })
}
