// Holders of an instrument.
import { z } from 'zod'
import type { Resource } from '../../engine/query/field.ts'
import { withAliases } from '../values/aliases.ts'
import { pair } from './answers.ts'
import { defaultToAll, queryOf } from '../values/bulk.ts'
import { tenancyConfig } from '../values/chain-config.ts'
import { counterpartyName } from './counterparty.ts'
import { accountLookup } from '../values/lookup.ts'
import { timestamp } from '../values/text.ts'
import type { ModelOf } from '../values/validated.ts'

export function holdersBody<Record>(resource: Resource<Record>) {
  const members = {
    itemData: z.strictObject({ financialInstrument: accountLookup, asOf: timestamp.optional() }),
    itemQuery: queryOf(resource).optional(),
    tenancyConfig: tenancyConfig.optional(),
  }
  return withAliases(members, { itemsQuery: 'itemQuery' }).transform(defaultToAll)
}

const nullableIds = z.object({ onchainId: z.string(), offchainId: z.uuid().nullable() })
const ids = z.object({ onchainId: z.string(), offchainId: z.uuid() })

const holder = z
  .object({
    owner: nullableIds.extend({ counterparty: counterpartyName.optional() }),
    balance: pair,
    positions: z.array(ids),
  })
  .meta({ id: 'Holder', description: 'The owner of positions of an instrument.' })
export type HolderModel = ModelOf<typeof holder>

export const holders = z
  .object({
    asOf: z.iso.datetime(),
    total: pair,
    count: z.int(),
    items: z.array(holder),
  })
  .meta({ id: 'Holders' })
export type HoldersModel = ModelOf<typeof holders>
