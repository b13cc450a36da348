// Finds the organizations and API keys that an administrator may change. Those outside its scope are refused like those
// that do not exist.
import type { Entry } from '../../engine/records/entry.ts'
import { apiKeyKey, organizationKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Caller } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { administers, type Owner } from '../../contract/roles.ts'

export interface Within<K extends 'organization' | 'apiKey'> {
  readonly entry: Entry
  readonly state: RecordState<K>
}

/** Throws 400 `ORGANIZATION_NOT_FOUND`. */
export function organizationWithin(
  platform: Platform,
  caller: Caller,
  externalId: string,
  pointer: string,
): Within<'organization'> {
  const found = within(platform.engine.directory.first(organizationKey(externalId)), 'organization', caller)
  if (found !== undefined) return found
  throw badRequest(
    'ORGANIZATION_NOT_FOUND',
    `no organization ${JSON.stringify(externalId)} that this key administers`,
    pointer,
  )
}

/** Throws 400 `API_KEY_NOT_FOUND`. */
export function apiKeyWithin(platform: Platform, caller: Caller, keyId: string, pointer: string): Within<'apiKey'> {
  const found = within(platform.engine.directory.first(apiKeyKey(keyId)), 'apiKey', caller)
  if (found !== undefined) return found
  throw badRequest('API_KEY_NOT_FOUND', `no API key ${JSON.stringify(keyId)} that this key administers`, pointer)
}

function within<K extends 'organization' | 'apiKey'>(
  entry: Entry | undefined,
  kind: K,
  caller: Caller,
): Within<K> | undefined {
  const state = ofKind(entry?.head, kind)
  return entry === undefined || state === undefined || !administers(caller, ownerOf(state))
    ? undefined
    : { entry, state }
}

function ownerOf(state: RecordState): Owner {
  const { tenant, context } = state as RecordState<'organization'> | RecordState<'apiKey'>
  return { tenant, organization: 'externalId' in context ? context.externalId : context.organization }
}
