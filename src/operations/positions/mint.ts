// POST /positions/mint: mints new tokens into a position.
import { memo } from '../../solana/instructions/memo.ts'
import { mintToChecked } from '../../solana/instructions/token.ts'
import type { MintInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { resolveParty } from '../lookup/account.ts'
import { authorityParty, checkNotPaused, freezeInstructions, switchesOf } from '../holdings/freezing.ts'
import { destinationOf, loadDestination, tokenProgramAndMint } from '../holdings/destination.ts'
import { checkSupplyOpen, tokenUnits } from '../holdings/units.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 150_000

export const mintTokens: Write<TransactionBody<MintInput>> = async (context, { itemData, chainTransactionConfig }) => {
  const { platform, call } = context
  const loaded = await loadDestination(
    context,
    itemData.destination,
    itemData.initializeDestinationPositionIfNeeded ?? false,
    '/itemData/destination',
  )
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const destination = destinationOf(context, itemData.destination, loaded, {
        feePayer,
        pointer: '/itemData/destination',
        initialize: itemData.initializeDestinationPositionIfNeeded,
      })
      const { instrument, position } = destination
      checkSupplyOpen(instrument, '/itemData/destination')
      checkNotPaused(instrument, '/itemData/destination')
      const named =
        itemData.mintAuthority === undefined
          ? position.mintAuthority
          : resolveParty(context, itemData.mintAuthority, '/itemData/mintAuthority')
      const authority = authorityParty(context, instrument, 'mintAuthority', {
        named,
        pointer: '/itemData/mintAuthority',
      })
      const amount = tokenUnits(known, instrument, itemData, '/itemData')
      const freeze = freezeInstructions(context, instrument, destination.address, {
        frozen: destination.frozen,
        named: position.freezeAuthority,
        ...switchesOf(itemData, 'Destination'),
      })
      if (destination.frozen && freeze.before.length === 0) {
        throw badRequest('POSITION_FROZEN', 'the destination is frozen', '/itemData/destination')
      }
      return {
        instructions: [
          ...destination.creation,
          ...freeze.before,
          mintToChecked({
            destination: destination.address,
            authority: authority.address,
            amount,
            ...tokenProgramAndMint(instrument),
          }),
          ...freeze.after,
          ...(itemData.memo === undefined ? [] : [memo(itemData.memo)]),
        ],
        feePayer,
        parties: [authority, freeze.authority],
        rents: destination.rents,
        computeUnits: COMPUTE_UNITS,
        prepare: (unit) => destination.prepare?.(unit),
        shape: 'bare',
      }
    }),
  )
}
