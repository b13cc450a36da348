// POST /positions/transfer: transfers tokens between two positions of the same instrument.
import { memo } from '../../solana/instructions/memo.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { TransferInput } from '../../contract/schemas/position.ts'
import type { Write } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { HOOK_UNITS, checkPair, deliver, isHooked } from '../holdings/delivery.ts'
import { destinationOf, loadDestination } from '../holdings/destination.ts'
import { freezeInstructions, switchesOf } from '../holdings/freezing.ts'
import { checkFree, entireBalance, sourceAuthority, sourceOf, loadSource } from '../holdings/source.ts'
import { tokenUnits } from '../holdings/units.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 200_000
const FROM = '/itemData/source'
const TO = '/itemData/destination'

export const transferTokens: Write<TransactionBody<TransferInput>> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform, call } = context
  const initialize = itemData.initializeDestinationPositionIfNeeded ?? false
  const entire = itemData.transferEntireBalance ?? false
  const byDelegate = itemData.permanentDelegate ?? false
  const covered = itemData.offchainBalanceAvailabilityPrecheck ?? true
  const loaded = await loadDestination(context, itemData.destination, initialize, TO)
  const loadedSource = await loadSource(context, itemData.source, { entire, byDelegate }, FROM)
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const source = sourceOf(context, itemData.source, loadedSource, FROM)
      const destination = destinationOf(context, itemData.destination, loaded, { feePayer, pointer: TO, initialize })
      const { instrument, position } = source
      checkPair(source, destination, FROM, TO)
      const authority = sourceAuthority(context, source, byDelegate, '/itemData/permanentDelegate')
      const amount = entire
        ? entireBalance(source, '/itemData/transferEntireBalance')
        : tokenUnits(known, instrument, itemData, '/itemData')
      if (covered) checkFree(source, amount)
      const atSource = freezeInstructions(context, instrument, source.address, {
        frozen: source.frozen,
        named: position.freezeAuthority,
        ...switchesOf(itemData, 'Source'),
      })
      if (source.frozen && atSource.before.length === 0)
        throw badRequest('POSITION_FROZEN', 'the source is frozen', FROM)
      const atDestination = freezeInstructions(context, instrument, destination.address, {
        frozen: destination.frozen,
        named: destination.position.freezeAuthority ?? position.freezeAuthority,
        ...switchesOf(itemData, 'Destination'),
      })
      if (destination.frozen && atDestination.before.length === 0)
        throw badRequest('POSITION_FROZEN', 'the destination is frozen', TO)
      return {
        instructions: [
          ...destination.creation,
          ...atSource.before,
          ...atDestination.before,
          // If the destination requires a memo, TOKEN_2022 checks the immediately preceding instruction.
          ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
          deliver(known, source, destination, { authority, amount, pointer: FROM }),
          ...atSource.after,
          ...atDestination.after,
        ],
        feePayer,
        parties: [authority, atSource.authority, atDestination.authority],
        rents: destination.rents,
        covered,
        computeUnits: COMPUTE_UNITS + (isHooked(instrument) ? HOOK_UNITS : 0),
        ...(destination.prepare === null ? {} : { prepare: destination.prepare }),
        shape: 'bare',
      }
    }),
  )
}
