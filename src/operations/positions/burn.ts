// POST /positions/burn: burns tokens of a position, signed by its owner or the permanent delegate.
import { memo } from '../../solana/instructions/memo.ts'
import { burnChecked } from '../../solana/instructions/token.ts'
import type { BurnInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { together } from '../../contract/together.ts'
import { tokenProgramAndMint } from '../holdings/destination.ts'
import { checkNotPaused, endSwitches } from '../holdings/freezing.ts'
import { checkFree, entireBalance, sourceAuthority, sourceOf, loadSource } from '../holdings/source.ts'
import { checkSupplyOpen, tokenUnits } from '../holdings/units.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 100_000
const FROM = '/itemData/source'

export const burnTokens: Write<TransactionBody<BurnInput>> = async (context, { itemData, chainTransactionConfig }) => {
  const { platform, call } = context
  const entire = itemData.burnEntireBalance ?? false
  const byDelegate = itemData.permanentDelegate ?? false
  const loaded = await loadSource(context, itemData.source, { entire, byDelegate }, FROM)
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const source = sourceOf(context, itemData.source, loaded, FROM)
      const { instrument, position, address } = source
      const [, , authority, amount, freeze] = together(
        () => checkSupplyOpen(instrument, FROM),
        () => checkNotPaused(instrument, FROM),
        () => sourceAuthority(context, source, byDelegate, '/itemData/permanentDelegate'),
        () =>
          entire
            ? entireBalance(source, '/itemData/burnEntireBalance')
            : tokenUnits(known, instrument, itemData, '/itemData'),
        () =>
          endSwitches(context, source, itemData, { side: 'Source', named: position.freezeAuthority, pointer: FROM }),
      )
      checkFree(source, amount)
      return {
        instructions: [
          ...freeze.before,
          burnChecked({ source: address, authority: authority.address, amount, ...tokenProgramAndMint(instrument) }),
          ...freeze.after,
          ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
        ],
        feePayer,
        parties: [authority, freeze.authority],
        computeUnits: COMPUTE_UNITS,
        shape: 'bare',
      }
    }),
  )
}
