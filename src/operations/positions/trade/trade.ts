// POST /positions/trade: delivery versus payment. Two to eight legs of instruments and network currency in one
// transaction.
import { memo } from '../../../solana/instructions/memo.ts'
import { MAX_COMPUTE_UNITS } from '../../../solana/instructions/compute-budget.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { TradeInput, TradeLegInput } from '../../../contract/schemas/position.ts'
import type { TransactionBody } from '../../../contract/values/chain-config.ts'
import type { Write, Context } from '../../context/platform.ts'
import { NO_CHAIN_READ, loadDestination } from '../../holdings/destination.ts'
import { loadSource } from '../../holdings/source.ts'
import { feePayerOf } from '../../transactions/fee-payer.ts'
import { runAttempts } from '../../transactions/attempt.ts'
import { transact } from '../../transactions/transact.ts'
import { togetherAsync } from '../../../contract/together.ts'
import { currencySides, TradeBoard, type LoadedLeg } from './build-leg.ts'
import { shapeOf } from './side.ts'

const BASE_UNITS = 40_000

export const trade: Write<TransactionBody<TradeInput>> = async (context, { itemData, chainTransactionConfig }) => {
  const { platform, call } = context
  const legs = await togetherAsync(
    ...itemData.legs.map((leg, index) => () => loaded(context, leg, `/itemData/legs/${index}`)),
  )
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const board = new TradeBoard(context, feePayer, known)
      const built = legs.map((leg) => board.build(leg))
      const opened = [...board.opened.values()]
      const units = built.reduce((sum, { computeUnits }) => sum + computeUnits, BASE_UNITS)
      return {
        instructions: [
          ...built.flatMap(({ instructions }) => instructions),
          ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
        ],
        feePayer,
        parties: built.map(({ party }) => party),
        rents: new Map(opened.flatMap(({ rents }) => [...rents])),
        computeUnits: Math.min(units, MAX_COMPUTE_UNITS),
        prepare: (unit: UnitOfWork) => {
          for (const { prepare } of opened) prepare?.(unit)
        },
        shape: 'bare',
      }
    }),
  )
}

async function loaded(context: Context, input: TradeLegInput, pointer: string): Promise<LoadedLeg> {
  const shape = shapeOf(context, input, pointer)
  if (shape.kind === 'currency') {
    currencySides(context, shape, pointer)
    return { pointer, input, shape, source: NO_CHAIN_READ, destination: NO_CHAIN_READ }
  }
  const initialize = input.initializeDestinationPositionIfNeeded ?? false
  const [source, destination] = await togetherAsync(
    () => loadSource(context, shape.source, { entire: false, byDelegate: false }, `${pointer}/source`),
    () => loadDestination(context, shape.destination, initialize, `${pointer}/destination`),
  )
  return { pointer, input, shape, source, destination }
}
