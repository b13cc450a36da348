// PATCH /positions/freeze and /unfreeze: the freeze authority freezes or thaws one position. Only the freeze
// authority has to sign; the owner's consent is not needed.
import { freezeTokenAccount, thawTokenAccount } from '../../solana/instructions/token-account.ts'
import type { SwitchPositionInput } from '../../contract/schemas/position.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { badRequest, type Refusal } from '../../contract/refusal.ts'
import { alongWith, alongWithAsync, together } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import { destinationOf, loadDestination } from '../holdings/destination.ts'
import { authorityParty, checkAuthorityUsable } from '../holdings/freezing.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { sharingOf } from '../transactions/shared-call.ts'
import { transact } from '../transactions/transact.ts'

const COMPUTE_UNITS = 50_000
const POINTER = '/itemData/position'
const AUTHORITY = '/itemData/freezeAuthority'

export const freezePosition = switching(true)
export const unfreezePosition = switching(false)

function switching(freeze: boolean): Write<TransactionBody<SwitchPositionInput>> {
  const done = (): Refusal =>
    freeze
      ? badRequest('ALREADY_FROZEN', 'the position is frozen already', POINTER)
      : badRequest('NOT_FROZEN', 'the position is not frozen', POINTER)
  return async (context, { itemData, chainTransactionConfig }) => {
    const { platform, call } = context
    const authorityNamed = (): Party | null => optionalParty(context, itemData.freezeAuthority, AUTHORITY)
    const loaded = await alongWithAsync(
      () => loadDestination(context, itemData.position, false, POINTER),
      authorityNamed,
    )
    return await transact(context, chainTransactionConfig, () => {
      const feePayer = feePayerOf(context, chainTransactionConfig)
      const target = alongWith(() => {
        const found = destinationOf(context, itemData.position, loaded, { feePayer, pointer: POINTER })
        checkAuthorityUsable(context, found, 'freezeAuthority')
        return found
      }, authorityNamed)
      const { instrument, address } = target
      checkNoEscrow(platform.engine.directory, call, address, POINTER)
      const [authority] = together(
        () => {
          const named = authorityNamed() ?? target.position.freezeAuthority
          return authorityParty(context, instrument, 'freezeAuthority', { named, pointer: AUTHORITY })
        },
        () => {
          if (target.frozen === freeze) throw done()
        },
      )
      sharingOf(call).take?.(address, done)
      const request = {
        program: tokenProgramOf(instrument),
        account: address,
        mint: instrument.context.address,
        authority: authority.address,
      }
      return {
        instructions: [freeze ? freezeTokenAccount(request) : thawTokenAccount(request)],
        feePayer,
        parties: [authority],
        computeUnits: COMPUTE_UNITS,
        prepare: (unit) => target.prepare?.(unit),
        shape: 'bare',
      }
    })
  }
}
