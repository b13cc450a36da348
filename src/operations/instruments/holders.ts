// POST /financial-instruments/holders/bulk: the holders of an instrument and their balances, now or as of an instant.
import type { Query } from '../../engine/query/field.ts'
import type { AccountLookup } from '../../contract/values/lookup.ts'
import type { Read } from '../context/platform.ts'
import { answerableInstant, holdersAsOf } from '../holdings/holders-as-of.ts'
import { together } from '../../contract/together.ts'
import { resolveInstrument } from '../lookup/instrument.ts'
import { compiledQuery } from '../views/bulk/fetch.ts'
import { HOLDERS, type Holder } from '../views/bulk/holders.ts'
import { namedIdsOf } from '../views/read-models/named-ids.ts'
import { applyScale, multiplierNow } from '../views/read-models/scale.ts'
import type { AmountsModel } from '../../contract/schemas/answers.ts'
import type { HolderModel, HoldersModel } from '../../contract/schemas/holder.ts'

const POINTER = '/itemData/financialInstrument'

export interface HoldersInput {
  readonly itemData: { readonly financialInstrument: AccountLookup; readonly asOf?: string | undefined }
  readonly itemQuery: Query
}

export const fetchHolders: Read<HoldersInput, HoldersModel> = async ({ platform, call }, { itemData, itemQuery }) => {
  const { asOf } = itemData
  const [query, { context }, atMs] = together(
    () => compiledQuery(HOLDERS, itemQuery),
    () => resolveInstrument({ platform, call }, itemData.financialInstrument, POINTER),
    () => (asOf === undefined ? null : answerableInstant(platform, Date.parse(asOf), '/itemData/asOf')),
  )
  const nowMs = platform.clock.now()
  const holders = await holdersAsOf(platform, call, { mint: context.address, atMs })
  const { count, items } = await platform.engine.readModel.among(HOLDERS, holders, query)
  const multiplier = multiplierNow(platform, context)
  const amounts = (raw: bigint): AmountsModel => applyScale(raw, context.decimals, multiplier)
  return {
    asOf: new Date(atMs ?? nowMs).toISOString(),
    total: amounts(holders.reduce((sum, { balance }) => sum + balance, 0n)),
    count,
    items: items.map((holder) => ({ owner: namedIdsOf({ platform, call }, holder.owner), ...shown(holder, amounts) })),
  }
}

function shown({ balance, positions }: Holder, amounts: (raw: bigint) => AmountsModel): Omit<HolderModel, 'owner'> {
  return {
    balance: amounts(balance),
    positions: positions.map(({ address, id }) => ({ onchainId: address, offchainId: id })),
  }
}
