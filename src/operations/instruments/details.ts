// POST /financial-instruments/single: the record of an instrument.
import { ofKind } from '../../engine/records/record.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Read } from '../context/platform.ts'
import { instrumentModel } from '../views/read-models/instrument.ts'
import { notFound } from '../../contract/refusal.ts'
import { resolveRecord } from '../lookup/account.ts'
import { namedAsInstrument } from '../lookup/instrument.ts'
import type { InstrumentModel } from '../../contract/schemas/answers.ts'

const INSTRUMENT_NOT_FOUND = { code: 'INSTRUMENT_NOT_FOUND', refuse: notFound }

export const instrumentDetails: Read<ItemBody<AccountLookup>, InstrumentModel> = (context, { itemData }) => {
  const { committed } = resolveRecord(context, namedAsInstrument(context, itemData), '/itemData', INSTRUMENT_NOT_FOUND)
  const instrument = ofKind(committed, 'instrument')
  if (instrument === undefined)
    throw notFound('INSTRUMENT_NOT_FOUND', 'the account is not a financial instrument', '/itemData')
  return instrumentModel(context, instrument, 'detailed')
}
