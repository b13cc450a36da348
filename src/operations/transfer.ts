// POST /positions/transfer: tokens from one position to another of the same instrument.
import { memo } from '../chain/instructions/memo.ts'
import { transferChecked } from '../chain/instructions/token.ts'
import type { TransactionBody, TransferInput } from './input.ts'
import type { Write } from './platform.ts'
import { badRequest } from './refusal.ts'
import { resolvePosition } from './resolve/position.ts'
import { destinationOf, isFrozen, survey, tokenProgramAndMint } from './tokens/destination.ts'
import { freezing } from './tokens/freezing.ts'
import { knownSource, refreshed, sourceAuthority } from './tokens/source.ts'
import { tokenUnits } from './tokens/units.ts'
import { feePayerOf } from './transact/fee-payer.ts'
import { transact } from './transact/transact.ts'

const COMPUTE_UNITS = 200_000

export const transferTokens: Write<TransactionBody<TransferInput>> = async (platform, call, { itemData, chainTransactionConfig }) => {
  const surveyed = await survey(
    platform,
    call,
    itemData.destination,
    itemData.initializeDestinationPositionIfNeeded ?? false,
    '/itemData/destination',
  )
  if (itemData.transferEntireBalance === true) await refreshed(platform, call, itemData.source, '/itemData/source')
  return await transact(platform, call, chainTransactionConfig, () => {
    const feePayer = feePayerOf(platform, call, chainTransactionConfig)
    const position = resolvePosition(platform, call, itemData.source, '/itemData/source')
    const source = knownSource(position, '/itemData/source')
    const destination = destinationOf(
      platform,
      call,
      itemData.destination,
      surveyed,
      feePayer,
      '/itemData/destination',
      itemData.initializeDestinationPositionIfNeeded,
    )
    const { instrument } = source
    if (destination.instrument.context.address !== instrument.context.address) {
      throw badRequest('INSTRUMENT_MISMATCH', 'source and destination hold different financial instruments', '/itemData/destination')
    }
    if (destination.address === source.state.context.address) {
      throw badRequest('SAME_POSITION', 'source and destination are the same position', '/itemData/destination')
    }
    const authority = sourceAuthority(platform, call, source, itemData.permanentDelegate ?? false, '/itemData/permanentDelegate')
    const amount =
      itemData.transferEntireBalance === true
        ? source.entireBalance('/itemData/transferEntireBalance')
        : tokenUnits(instrument, itemData, '/itemData')
    const frozen = isFrozen(source.state, instrument)
    const atSource = freezing(
      platform,
      call,
      instrument,
      source.state.context.address,
      frozen,
      { thaw: itemData.unfreezeSource ?? false, freeze: itemData.freezeSource ?? false },
      position.freezeAuthority,
      '/itemData/unfreezeSource',
    )
    if (frozen && atSource.before.length === 0) throw badRequest('POSITION_FROZEN', 'the source is frozen', '/itemData/source')
    const atDestination = freezing(
      platform,
      call,
      instrument,
      destination.address,
      destination.frozen,
      { thaw: itemData.unfreezeDestination ?? false, freeze: itemData.freezeDestination ?? false },
      destination.position.freezeAuthority ?? position.freezeAuthority,
      '/itemData/unfreezeDestination',
    )
    if (destination.frozen && atDestination.before.length === 0) {
      throw badRequest('POSITION_FROZEN', 'the destination is frozen', '/itemData/destination')
    }
    return {
      instructions: [
        ...destination.creation,
        ...atSource.before,
        ...atDestination.before,
        transferChecked({
          ...tokenProgramAndMint(instrument),
          source: source.state.context.address,
          destination: destination.address,
          authority: authority.address,
          amount,
        }),
        ...atSource.after,
        ...atDestination.after,
        ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
      ],
      feePayer,
      parties: [authority, atSource.authority, atDestination.authority],
      rents: destination.rents,
      covered: itemData.offchainBalanceAvailabilityPrecheck ?? true,
      computeUnits: COMPUTE_UNITS,
      ...(destination.prepare === null ? {} : { prepare: destination.prepare }),
      shape: 'bare',
    }
  })
}
