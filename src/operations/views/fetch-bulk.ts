// POST .../bulk for every resource: queries over committed records of the caller's organization and shared records.
import type { Query } from '../../engine/query/field.ts'
import { apiKeyModel, organizationModel } from './read-models/access.ts'
import { answerAdministered, answerOwn, answerTransactions, answerVisible } from './bulk/fetch.ts'
import {
  ACCOUNT_SOURCE,
  API_KEY_SOURCE,
  INSTRUMENT_SOURCE,
  LOOKUP_TABLE_SOURCE,
  ORGANIZATION_SOURCE,
  POSITION_SOURCE,
  WEBHOOK_SOURCE,
} from './bulk/sources.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { Read } from '../context/platform.ts'
import type { DetailLevel } from './read-models/account.ts'
import { instrumentModel } from './read-models/instrument.ts'
import { lookupTableModel } from './read-models/lookup-table.ts'
import { accountSeenBy } from './read-models/outside.ts'
import { transactionInWords } from './read-models/movements.ts'
import { namedIdsOf } from './read-models/named-ids.ts'
import { positionModel, readScales } from './read-models/position.ts'
import { transactionModel } from './read-models/transaction.ts'
import { webhookModel } from './read-models/webhook.ts'
import { asShown } from './shown-transaction.ts'

const ADMINISTERED_ORGANIZATIONS = { source: ORGANIZATION_SOURCE, organizationField: 'externalId' }
const ADMINISTERED_KEYS = { source: API_KEY_SOURCE, organizationField: 'organizationExternalId' }

export interface BulkInput {
  readonly itemQuery: Query
}

export interface BulkInputAtLevel extends BulkInput {
  readonly detailLevel?: DetailLevel | undefined
}

export const fetchAccounts: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerVisible(platform, call, ACCOUNT_SOURCE, itemQuery)
  return { count, items: items.map((state) => accountSeenBy(platform, call, state, detailLevel)) }
}

export const fetchInstruments: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerVisible(platform, call, INSTRUMENT_SOURCE, itemQuery)
  return { count, items: items.map((state) => instrumentModel(platform, call, state, detailLevel)) }
}

export const fetchPositions: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerVisible(platform, call, POSITION_SOURCE, itemQuery)
  const scaling = items.filter(({ context }) => context.program !== 'SPL')
  await readScales(
    platform,
    call,
    scaling.map(({ context }) => context.mint.address),
  )
  return { count, items: items.map((state) => positionModel(platform, call, state, detailLevel)) }
}

export const fetchLookupTables: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerVisible(platform, call, LOOKUP_TABLE_SOURCE, itemQuery)
  return { count, items: items.map((state) => lookupTableModel(platform, call, state)) }
}

export const fetchTransactions: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerTransactions(platform, call, itemQuery)
  const shown = (state: (typeof items)[number]): JsonObject => {
    const visible = asShown(platform, call, state)
    const model = transactionModel(visible, detailLevel)
    if ((detailLevel ?? 'detailed') !== 'detailed') return model
    const accounts = visible.context.fixed.accounts.map((account) => namedIdsOf(platform, call, account))
    return { ...model, ...transactionInWords(platform, call, visible), accounts }
  }
  return { count, items: items.map(shown) }
}

export const fetchWebhooks: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerOwn(platform, call, WEBHOOK_SOURCE, itemQuery)
  return { count, items: items.map((state) => webhookModel(state)) }
}

export const listOrganizations: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerAdministered(platform, call, ADMINISTERED_ORGANIZATIONS, itemQuery)
  return { count, items: items.map((state) => organizationModel(platform, state)) }
}

export const listApiKeys: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerAdministered(platform, call, ADMINISTERED_KEYS, itemQuery)
  return { count, items: items.map((state) => apiKeyModel(state)) }
}
