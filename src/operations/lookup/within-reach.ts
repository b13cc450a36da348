// Finds the organizations and API keys that an administrator may change. Those outside its scope are refused like those
// that do not exist.
import type { Entry } from '../../engine/records/entry.ts'
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Context } from '../context/platform.ts'
import { requireServedHere } from '../context/serving.ts'
import { badRequest } from '../../contract/refusal.ts'
import { administers, type Owner } from '../../contract/roles.ts'

export interface AdministeredRecord<K extends 'organization' | 'apiKey'> {
  readonly entry: Entry
  readonly state: RecordState<K>
}

/** @param may by default `administers`. Throws 400 `ORGANIZATION_NOT_FOUND`, and `ServedByOtherCell`. */
export function organizationWithin(
  context: Context,
  externalId: string,
  pointer: string,
  may: typeof administers = administers,
): AdministeredRecord<'organization'> {
  const organization = within(context, organizationKey(externalId), 'organization', may)
  if (organization !== undefined) return organization
  throw badRequest(
    'ORGANIZATION_NOT_FOUND',
    `no organization ${JSON.stringify(externalId)} that this key administers`,
    pointer,
  )
}

/** @param may by default `administers`. Throws 400 `API_KEY_NOT_FOUND`, and `ServedByOtherCell`. */
export function apiKeyWithin(
  context: Context,
  keyId: string,
  pointer: string,
  may: typeof administers = administers,
): AdministeredRecord<'apiKey'> {
  const apiKey = within(context, apiKeyKey(keyId), 'apiKey', may)
  if (apiKey !== undefined) return apiKey
  throw badRequest('API_KEY_NOT_FOUND', `no API key ${JSON.stringify(keyId)} that this key administers`, pointer)
}

function within<K extends 'organization' | 'apiKey'>(
  context: Context,
  key: string,
  kind: K,
  may: typeof administers,
): AdministeredRecord<K> | undefined {
  const { platform, call } = context
  const entry = platform.engine.directory.first(key)
  const state = ofKind(entry?.head, kind)
  if (entry === undefined || state === undefined || !may(call.caller, ownerOf(state))) return undefined
  requireServedHere(context, state.tenant)
  return { entry, state }
}

function ownerOf(state: RecordState): Owner {
  const { tenant, context } = state as RecordState<'organization'> | RecordState<'apiKey'>
  return { tenant, organization: 'externalId' in context ? context.externalId : context.organization }
}
