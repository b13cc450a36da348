// Amounts in the item data of a schedule that no occurrence could move, whatever the state at that time.
import { parseAmount, parseUnits } from '../../../machines/amount.ts'
import type { BatchOperation } from '../../../machines/batch.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { AccountLookup, PositionLookup } from '../../contract/values/lookup.ts'
import { badRequest } from '../../contract/refusal.ts'
import { asFailure } from '../context/as-refusal.ts'
import type { Context } from '../context/platform.ts'
import { resolveParty } from '../lookup/account.ts'
import { rawAmount, rawUnits } from '../lookup/amounts.ts'
import { mintByAddress, namedAsInstrument } from '../lookup/instrument.ts'
import { NETWORK_DECIMALS } from '../views/read-models/amounts.ts'

const AT = '/itemData/itemData'

interface Amounts {
  readonly amount?: string
  readonly lamports?: string
  readonly seedAmount?: string
  readonly source?: PositionLookup
  readonly destination?: PositionLookup
}

/**
 * The decimals of an instrument never change, but its multiplier does. An instrument that is not on record may be on
 * chain by the time of an occurrence. Throws 400 `TOO_PRECISE`, `OVER_U64`, `MUTUALLY_EXCLUSIVE`.
 */
export function checkItemAmounts(context: Context, operation: BatchOperation, data: JsonObject): void {
  const { seedAmount, ...given } = data as Amounts
  if (seedAmount !== undefined) rawUnits(seedAmount, NETWORK_DECIMALS, `${AT}/seedAmount`)
  if (given.amount === undefined) return
  if (operation === 'TRANSFER_NETWORK_CURRENCY') rawAmount(given, NETWORK_DECIMALS, AT)
  else checkTokens(context, given, given.amount)
}

function checkTokens(context: Context, given: Amounts, amount: string): void {
  const instrument = namedInstrument(context, given)
  if (instrument === null) {
    const whole = parseAmount(amount.replace(/\..*/, ''), 0)
    if (!whole.ok && whole.reason === 'OVER_U64')
      throw badRequest('OVER_U64', `${amount} is over 18446744073709551615 units of any instrument`, `${AT}/amount`)
    return
  }
  const { decimals, scaledUiAmountMultiplier } = instrument.context
  if (scaledUiAmountMultiplier === null) rawAmount(given, decimals, AT)
  else if (!parseUnits(amount, decimals).ok) rawUnits(amount, decimals, `${AT}/amount`)
}

/** null: none is named, or none that is on record. */
function namedInstrument(context: Context, { source, destination }: Amounts): RecordState<'instrument'> | null {
  for (const lookup of [source?.financialInstrument, destination?.financialInstrument]) {
    const instrument = lookup === undefined ? undefined : instrumentOnRecord(context, lookup)
    if (instrument !== undefined) return instrument
  }
  return null
}

function instrumentOnRecord(context: Context, lookup: AccountLookup): RecordState<'instrument'> | undefined {
  try {
    const { entry } = resolveParty(context, mintByAddress(namedAsInstrument(context, lookup)), AT)
    return entry === null ? undefined : ofKind(entry.head, 'instrument')
  } catch (error) {
    // Whether it can be found is judged at each occurrence.
    if (asFailure(error).refusal !== null) return undefined
    throw error
  }
}
