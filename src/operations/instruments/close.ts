// PATCH /financial-instruments/close: closes a mint without supply; its rent returns to the account that paid it.
import { closeTokenAccount } from '../../solana/instructions/token-account.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { TransactionBody } from '../../contract/values/chain-config.ts'
import type { CloseInstrumentInput } from '../../contract/schemas/instrument.ts'
import type { Platform, Write } from '../context/platform.ts'
import { idsOfHolding } from '../views/read-models/account.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import { alongWith, together } from '../../contract/together.ts'
import { optionalParty } from '../lookup/account.ts'
import type { Party } from '../lookup/party.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import { decidedMessages } from '../lookup/own-messages.ts'
import { authorityParty } from '../holdings/freezing.ts'
import { ownInstrument, refreshInstrument } from './named.ts'
import { refundOf } from '../holdings/refund.ts'
import { feePayerOf } from '../transactions/fee-payer.ts'
import { transact } from '../transactions/transact.ts'
import type { WithIds } from '../../contract/schemas/members.ts'

type Members = WithIds<'closedFinancialInstrument'>

const COMPUTE_UNITS = 21_000
const POINTER = '/itemData/financialInstrumentToClose'
const AUTHORITY = '/itemData/closeAuthority'
const REFUND = '/itemData/refundDestination'

export const closeInstrument: Write<TransactionBody<CloseInstrumentInput>, Members> = async (
  context,
  { itemData, chainTransactionConfig },
) => {
  const { platform } = context
  const closerNamed = (): Party | null => optionalParty(context, itemData.closeAuthority, AUTHORITY)
  const refundNamed = (): Party | null => optionalParty(context, itemData.refundDestination, REFUND)
  const subject = alongWith(
    () => ownInstrument(context, itemData.financialInstrumentToClose, POINTER),
    closerNamed,
    refundNamed,
  )
  await refreshInstrument(context, subject)
  return await transact(context, chainTransactionConfig, () => {
    const { state } = ownInstrument(context, itemData.financialInstrumentToClose, POINTER)
    const [, feePayer, named, receiver] = together(
      () => checkClosable(platform, state),
      () => feePayerOf(context, chainTransactionConfig),
      closerNamed,
      refundNamed,
    )
    const authority = authorityParty(context, state, 'closingAuthority', { named, pointer: AUTHORITY })
    const requested = receiver?.address ?? null
    const refund = refundOf(state, { requested, feePayer: feePayer.address, holder: authority })
    const closing = {
      program: tokenProgramOf(state),
      account: state.context.address,
      destination: refund.destination,
      authority: authority.address,
    }
    return {
      instructions: [closeTokenAccount(closing), ...refund.instructions],
      feePayer,
      refundPointer: REFUND,
      parties: [authority],
      computeUnits: COMPUTE_UNITS,
      members: { closedFinancialInstrument: idsOfHolding(state) },
      shape: 'member',
    }
  })
}

/** Throws 400 `EXTENSION_MISSING`, `INSTRUMENT_BUSY`, `SUPPLY_NOT_ZERO`. */
function checkClosable(platform: Platform, state: RecordState<'instrument'>): void {
  const { value, context } = state
  if (!context.extensions.includes('MINT_CLOSE')) {
    throw badRequest(
      'EXTENSION_MISSING',
      'the instrument cannot be closed: it was created without a closingAuthority',
      POINTER,
    )
  }
  if (value === 'pending' || decidedMessages(platform.engine, state).length > 0) {
    throw busy('INSTRUMENT_BUSY', 'a transaction that changes the instrument or its supply is under way', POINTER)
  }
  if (context.supply.balance !== '0') {
    throw badRequest(
      'SUPPLY_NOT_ZERO',
      `${context.supply.balance} raw units are in circulation: burn them first`,
      POINTER,
    )
  }
}
