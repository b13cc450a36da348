// POST /positions/mint: mints new tokens into a position.
import { memo } from '../../solana/instructions/memo.ts'
import { mintToChecked } from '../../solana/instructions/token.ts'
import type { MintInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { alongWith, alongWithAsync, together } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { authorityParty, checkAuthorityUsable, checkNotPaused, endSwitches } from '../holdings/freezing.ts'
import { destinationOf, loadDestination, tokenProgramAndMint } from '../holdings/destination.ts'
import { checkSupplyOpen, tokenUnits } from '../holdings/units.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { runAttempts } from '../transactions/attempt.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 150_000
const TO = '/itemData/destination'
const AUTHORITY = '/itemData/mintAuthority'

export const mintTokens: Write<TransactionBody<MintInput>> = async (context, { itemData, chainTransactionConfig }) => {
  const { platform, call } = context
  const initialize = itemData.initializeDestinationPositionIfNeeded ?? false
  const authorityNamed = (): Party | null => optionalParty(context, itemData.mintAuthority, AUTHORITY)
  const loaded = await alongWithAsync(
    () => loadDestination(context, itemData.destination, initialize, TO),
    authorityNamed,
  )
  return await runAttempts(platform, call, ({ known }) =>
    transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const destination = alongWith(() => {
        const found = destinationOf(context, itemData.destination, loaded, { feePayer, pointer: TO, initialize })
        checkAuthorityUsable(context, found, 'mintAuthority')
        return found
      }, authorityNamed)
      const { instrument, position } = destination
      const [, , authority, amount, freeze] = together(
        () => checkSupplyOpen(instrument, TO),
        () => checkNotPaused(instrument, TO),
        () => {
          const named = authorityNamed() ?? position.mintAuthority
          return authorityParty(context, instrument, 'mintAuthority', { named, pointer: AUTHORITY })
        },
        () => tokenUnits(known, instrument, itemData, '/itemData'),
        () =>
          endSwitches(context, destination, itemData, {
            side: 'Destination',
            named: position.freezeAuthority,
            pointer: TO,
          }),
      )
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
