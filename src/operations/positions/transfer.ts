// POST /positions/transfer: transfers tokens between two positions of the same instrument.
import { memo } from '../../solana/instructions/memo.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { TransferInput } from '../../contract/schemas/position.ts'
import type { Write } from '../context/platform.ts'
import { alongWith, alongWithAsync, together } from '../../contract/together.ts'
import { HOOK_UNITS, checkPair, deliver, isHooked } from '../holdings/delivery.ts'
import { destinationOf, loadDestination, type Destination, type LoadedDestination } from '../holdings/destination.ts'
import { endSwitches } from '../holdings/freezing.ts'
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
  const ofSource = (): Promise<LoadedDestination> => loadSource(context, itemData.source, { entire, byDelegate }, FROM)
  const loaded = await alongWithAsync(() => loadDestination(context, itemData.destination, initialize, TO), ofSource)
  const loadedSource = await ofSource()
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const receiver = (): Destination =>
        destinationOf(context, itemData.destination, loaded, { feePayer, pointer: TO, initialize })
      const source = alongWith(() => sourceOf(context, itemData.source, loadedSource, FROM), receiver)
      const destination = receiver()
      const { instrument, position } = source
      const [, authority, amount, atSource, atDestination] = together(
        () => checkPair(source, destination, FROM, TO),
        () => sourceAuthority(context, source, byDelegate, '/itemData/permanentDelegate'),
        () =>
          entire
            ? entireBalance(source, '/itemData/transferEntireBalance')
            : tokenUnits(known, instrument, itemData, '/itemData'),
        () =>
          endSwitches(context, source, itemData, { side: 'Source', named: position.freezeAuthority, pointer: FROM }),
        () => {
          const named = destination.position.freezeAuthority ?? position.freezeAuthority
          return endSwitches(context, destination, itemData, { side: 'Destination', named, pointer: TO })
        },
      )
      if (covered) checkFree(source, amount)
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
