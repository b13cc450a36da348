// POST .../bulk for every resource: queries over committed records of the caller's organization and shared records.
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import { EVERY_CLUSTER, type RecordState } from '../../engine/records/record.ts'
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import type { Query } from '../../engine/query/field.ts'
import { apiKeyModel, organizationListed } from './read-models/access.ts'
import {
  answerAdministered,
  answerOwn,
  answerTransactions,
  answerVisible,
  type AdministeredList,
} from './bulk/fetch.ts'
import {
  ACCOUNT_SOURCE,
  API_KEY_SOURCE,
  INSTRUMENT_SOURCE,
  LOOKUP_TABLE_SOURCE,
  ORGANIZATION_SOURCE,
  POSITION_SOURCE,
  WEBHOOK_SOURCE,
} from './bulk/sources.ts'
import type { Platform, Read } from '../context/platform.ts'
import { isKeyEnabled } from '../lookup/subjects.ts'
import { instrumentModel } from './read-models/instrument.ts'
import { lookupTableModel } from './read-models/lookup-table.ts'
import { accountPage } from './read-models/outside.ts'
import { transactionDetailed } from './read-models/movements.ts'
import { positionModel, readScales } from './read-models/position.ts'
import { transactionCompact, transactionIdentifiers } from './read-models/transaction.ts'
import { webhookModel } from './read-models/webhook.ts'
import { asShown } from './shown-transaction.ts'
import type { JsonOf } from '../../contract/json-bytes.ts'
import type { ApiKeyModel, LookupTableModel, PageOf } from '../../contract/schemas/answers.ts'
import type { OrganizationModel } from '../../contract/schemas/counterparty.ts'
import type { WebhookModel } from '../../contract/schemas/webhook.ts'
import type {
  AccountModels,
  DetailLevel,
  InstrumentModels,
  PositionModels,
  TransactionModels,
} from '../../contract/schemas/levels.ts'

const ADMINISTERED_ORGANIZATIONS: AdministeredList<RecordState<'organization'>> = {
  source: ORGANIZATION_SOURCE,
  kind: 'organization',
  organizationField: 'externalId',
  named: {
    ...{ fieldName: 'externalId', nameOf: organizationKey, isOrdered: false },
    outlineOf: (externalId) => outlineOf('organization', externalId, { externalId }),
  },
}
const ADMINISTERED_KEYS: AdministeredList<RecordState<'apiKey'>> = {
  source: API_KEY_SOURCE,
  kind: 'apiKey',
  organizationField: 'organizationExternalId',
  named: {
    ...{ fieldName: 'keyId', nameOf: apiKeyKey, isOrdered: true },
    outlineOf: (keyId) => outlineOf('apiKey', keyId, { keyId }),
  },
  derived: { fieldName: 'disabled', asShown: keysAsShown },
}

/**
 * A key that a disabled subject created, directly or through other keys, is refused like one that is disabled. Of a key
 * of another cell, this is not known here.
 */
function keysAsShown({ engine }: Platform, keys: readonly RecordState<'apiKey'>[]): readonly RecordState<'apiKey'>[] {
  const known = new Map<string, string | null>()
  const isRefused = (key: RecordState<'apiKey'>): boolean =>
    engine.owns(key.tenant) && !isKeyEnabled(engine.directory, key, known)
  return keys.map((key) => (isRefused(key) ? { ...key, value: 'disabled' } : key))
}

/** Replaces a record of another cell if only its name is known. */
function outlineOf<K extends 'organization' | 'apiKey'>(kind: K, name: string, context: object): RecordState<K> {
  const place = { tenant: '', cluster: EVERY_CLUSTER, id: name }
  return { kind, ...place, revision: 0, value: '', context } as unknown as RecordState<K>
}

/** A model at any level. */
type AnyOf<Models> = Models[keyof Models]

export interface BulkInput {
  readonly itemQuery: Query
}

/** The parts of all records, or of the one that is named. */
export interface PartsInput extends BulkInput {
  readonly itemData?: { readonly offchainId: string } | undefined
}

export interface BulkInputAtLevel extends BulkInput {
  readonly detailLevel?: DetailLevel | undefined
}

export const fetchAccounts: Read<BulkInputAtLevel, JsonOf<PageOf<AnyOf<AccountModels>>>> = async (
  context,
  { itemQuery, detailLevel = 'detailed' },
) => {
  const { platform, call } = context
  return accountPage(platform, call, await answerVisible(context, ACCOUNT_SOURCE, itemQuery), detailLevel)
}

export const fetchInstruments: Read<BulkInputAtLevel, PageOf<AnyOf<InstrumentModels>>> = async (
  context,
  { itemQuery, detailLevel = 'detailed' },
) => {
  const { count, items } = await answerVisible(context, INSTRUMENT_SOURCE, itemQuery)
  return { count, items: items.map((state) => instrumentModel(context, state, detailLevel)) }
}

export const fetchPositions: Read<BulkInputAtLevel, PageOf<AnyOf<PositionModels>>> = async (
  { platform, call },
  { itemQuery, detailLevel = 'detailed' },
) => {
  const { count, items } = await answerVisible({ platform, call }, POSITION_SOURCE, itemQuery)
  const scaling = items.filter(({ context }) => context.program !== 'SPL')
  await readScales(
    { platform, call },
    scaling.map(({ context }) => context.mint.address),
  )
  return { count, items: items.map((state) => positionModel({ platform, call }, state, detailLevel)) }
}

export const fetchLookupTables: Read<BulkInput, PageOf<LookupTableModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerVisible(context, LOOKUP_TABLE_SOURCE, itemQuery)
  return { count, items: items.map((state) => lookupTableModel(context, state)) }
}

export const fetchTransactions: Read<BulkInputAtLevel, PageOf<AnyOf<TransactionModels>>> = async (
  context,
  { itemQuery, detailLevel = 'detailed' },
) => {
  const { count, items } = await answerTransactions(context, itemQuery)
  const shown = (state: (typeof items)[number]): AnyOf<TransactionModels> => {
    const visible = asShown(context, state)
    if (detailLevel === 'identifiers') return transactionIdentifiers(visible)
    if (detailLevel === 'compact') return transactionCompact(visible)
    return transactionDetailed(context, visible)
  }
  return { count, items: items.map(shown) }
}

export const fetchWebhooks: Read<BulkInput, PageOf<WebhookModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, WEBHOOK_SOURCE, itemQuery)
  return { count, items: items.map((state) => webhookModel(state)) }
}

export const listOrganizations: Read<BulkInput, PageOf<OrganizationModel>> = async (context, { itemQuery }) => {
  const { platform } = context
  const { count, items } = await answerAdministered(context, ADMINISTERED_ORGANIZATIONS, itemQuery)
  const models = (): OrganizationModel[] => onEach(items, (state) => organizationListed(platform, state))
  return { count, items: await atHand(platform.engine, models) }
}

export const listApiKeys: Read<BulkInput, PageOf<ApiKeyModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerAdministered(context, ADMINISTERED_KEYS, itemQuery)
  return { count, items: keysAsShown(context.platform, items).map((state) => apiKeyModel(state)) }
}
