// POST .../bulk: one query engine for every resource, over committed records of the caller's organization and shared ones.
import type { Query } from '../engine/query/field.ts'
import { ofKind } from '../engine/record.ts'
import { apiKeyModel, organizationModel } from './access/read-models.ts'
import { administers } from './access/roles.ts'
import { answerQuery, committedOf, visibleHoldings } from './bulk/fetch.ts'
import { ACCOUNTS, API_KEYS, INSTRUMENTS, LOOKUP_TABLES, ORGANIZATIONS, POSITIONS, TRANSACTIONS } from './bulk/resources.ts'
import type { Call } from './call.ts'
import type { Platform, Read } from './platform.ts'
import { accountModel, type DetailLevel } from './read-models/account.ts'
import { instrumentModel } from './read-models/instrument.ts'
import { lookupTableModel } from './read-models/lookup-table.ts'
import { positionModel } from './read-models/position.ts'
import { transactionModel } from './read-models/transaction.ts'

export interface BulkInput {
  readonly itemQuery: Query
}

export interface BulkInputAtLevel extends BulkInput {
  readonly detailLevel?: DetailLevel | undefined
}

export const fetchAccounts: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerQuery(ACCOUNTS, visibleHoldings(platform, call), itemQuery)
  return { count, items: items.map((state) => accountModel(state, detailLevel)) }
}

export const fetchInstruments: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerQuery(INSTRUMENTS, ofKindOnly(platform, call, 'instrument'), itemQuery)
  return { count, items: items.map((state) => instrumentModel(platform, call, state, detailLevel)) }
}

export const fetchPositions: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerQuery(POSITIONS, ofKindOnly(platform, call, 'position'), itemQuery)
  return { count, items: items.map((state) => positionModel(platform, call, state, detailLevel)) }
}

export const fetchLookupTables: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerQuery(LOOKUP_TABLES, ofKindOnly(platform, call, 'lookupTable'), itemQuery)
  return { count, items: items.map((state) => lookupTableModel(platform, call, state)) }
}

export const fetchTransactions: Read<BulkInputAtLevel> = async (platform, call, { itemQuery, detailLevel }) => {
  const { count, items } = await answerQuery(TRANSACTIONS, transactionsOf(platform, call), itemQuery)
  return { count, items: items.map((state) => transactionModel(state, detailLevel)) }
}

export const listOrganizations: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerQuery(ORGANIZATIONS, organizationsOf(platform, call), itemQuery)
  return { count, items: items.map((state) => organizationModel(state)) }
}

export const listApiKeys: Read<BulkInput> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerQuery(API_KEYS, apiKeysOf(platform, call), itemQuery)
  return { count, items: items.map((state) => apiKeyModel(state)) }
}

function* ofKindOnly<K extends 'instrument' | 'position' | 'lookupTable'>(platform: Platform, call: Call, kind: K) {
  for (const holding of visibleHoldings(platform, call)) {
    const state = ofKind(holding, kind)
    if (state !== undefined) yield state
  }
}

function* transactionsOf(platform: Platform, call: Call) {
  for (const state of committedOf(platform, 'transaction')) {
    if (state.tenant === call.tenant && state.cluster === call.cluster && state.context.fixed.organization === call.organization)
      yield state
  }
}

function* organizationsOf(platform: Platform, call: Call) {
  for (const state of committedOf(platform, 'organization')) if (administers(call.caller, state.tenant)) yield state
}

function* apiKeysOf(platform: Platform, call: Call) {
  for (const state of committedOf(platform, 'apiKey')) if (administers(call.caller, state.tenant)) yield state
}
