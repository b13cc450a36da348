// The key of a new account: generated here, imported, or generated and stored by an external key store.
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { KeyPlaceError } from '../../keys/key-place.ts'
import type { Call } from '../../contract/call.ts'
import type { NewAccountInput, PrivateKeyDetailsInput } from '../../contract/input.ts'
import type { FreshKey, KeepableKey, KeyPlace, KeyWish, Platform } from '../context/platform.ts'
import { badRequest, Refusal } from '../../contract/refusal.ts'

export interface AccountKey {
  readonly fresh: FreshKey
  readonly origin: 'service' | 'imported'
  readonly location: 'DATABASE' | 'SECRETS' | 'DKG'
}

export interface NewAddress {
  readonly address: string
  /** null: the key is not managed by this service. */
  readonly key: AccountKey | null
}

const PLAYERS_DEFAULT = { players: null, threshold: null }

/**
 * The address of a new account and its key. `managed` defaults to true unless only an address is given.
 *
 * Throws 400 `PRIVATE_KEY_MISMATCH`, `MALFORMED_PRIVATE_KEY`, `REQUIRED`, `MUTUALLY_EXCLUSIVE`,
 * `KEY_LOCATION_UNAVAILABLE`, `KEY_IMPORT_UNAVAILABLE`, `PLAYER_UNKNOWN`, `THRESHOLD_INVALID`; 503
 * `KEY_STORE_UNAVAILABLE`.
 */
export async function newAddress(platform: Platform, call: Call, input: NewAccountInput, pointer: string): Promise<NewAddress> {
  const details = input.privateKeyDetails
  const privateKey = details?.privateKey
  const stated = input.onchainId ?? details?.publickKey
  if (input.onchainId !== undefined && details?.publickKey !== undefined && input.onchainId !== details.publickKey) {
    throw badRequest('PRIVATE_KEY_MISMATCH', 'publickKey is not onchainId', `${pointer}/privateKeyDetails/publickKey`)
  }
  const managed = input.managed ?? (privateKey !== undefined || stated === undefined)
  if (!managed) return unmanaged(stated, privateKey, pointer)
  const location = locationOf(details)
  if (location === 'DKG' && (privateKey !== undefined || stated !== undefined)) {
    const member = privateKey === undefined ? 'publickKey' : 'privateKey'
    throw badRequest('MUTUALLY_EXCLUSIVE', 'a threshold key is made by its players', `${pointer}/privateKeyDetails/${member}`)
  }
  if (privateKey === undefined) {
    if (stated !== undefined)
      throw badRequest('REQUIRED', 'a managed account at a given address needs its private key', `${pointer}/privateKeyDetails/privateKey`)
    const wish = location === 'DKG' ? thresholdWish(details, pointer) : { location: 'SECRETS' as const }
    // A dry run must not create a key in an external store.
    const here = location === 'DATABASE' || call.dryRun
    const fresh = here ? platform.keys.generate() : await made(platform, wish, pointer)
    return { address: fresh.address, key: { fresh, origin: 'service', location } }
  }
  const brought = imported(platform, privateKey, `${pointer}/privateKeyDetails/privateKey`)
  if (stated !== undefined && stated !== brought.address) {
    throw badRequest('PRIVATE_KEY_MISMATCH', 'privateKey does not derive the address given', `${pointer}/privateKeyDetails/privateKey`)
  }
  const fresh = location === 'DATABASE' || call.dryRun ? brought : await made(platform, { location: 'SECRETS', privateKey }, pointer)
  return { address: fresh.address, key: { fresh, origin: 'imported', location } }
}

/**
 * Stores the key with the record created in the same unit of work; discards it if the unit of work is rolled back.
 */
export function keepKey(unit: UnitOfWork, { tenant, cluster, id, address }: KeyPlace, key: KeepableKey): void {
  const place = { tenant, cluster, id, address }
  unit.onRollBack(() => key.discard?.(place))
  unit.also(tenant, { type: 'secret', tenant, cluster, id, row: key.seal(place) })
}

/** The schema refuses a request with several locations. */
function locationOf(details: PrivateKeyDetailsInput | undefined): AccountKey['location'] {
  return (details?.dkgKeys?.length ?? 0) > 0 ? 'DKG' : details?.location?.[0] ?? 'DATABASE'
}

/** An account has one key, so at most one entry is accepted. Throws 400 `ONE_KEY`. */
function thresholdWish(details: PrivateKeyDetailsInput | undefined, pointer: string): KeyWish {
  const [wanted, second] = details?.dkgKeys ?? []
  if (second !== undefined) throw badRequest('ONE_KEY', 'an account has one key', `${pointer}/privateKeyDetails/dkgKeys/1`)
  if (wanted === undefined) return { location: 'DKG', ...PLAYERS_DEFAULT }
  const { useBackendPlayersCodes: players = [], session } = wanted
  return { location: 'DKG', players: players.length === 0 ? null : players, threshold: session?.threshold ?? null }
}

const MEMBERS: Readonly<Record<string, string>> = {
  PLAYER_UNKNOWN: 'dkgKeys/0/useBackendPlayersCodes',
  THRESHOLD_INVALID: 'dkgKeys/0/session/threshold',
  KEY_IMPORT_UNAVAILABLE: 'privateKey',
}

async function made(platform: Platform, wish: KeyWish, pointer: string): Promise<FreshKey> {
  try {
    return await platform.keys.make(wish)
  } catch (error) {
    if (!(error instanceof KeyPlaceError)) throw error
    const { code, message } = error
    if (code === 'KEY_STORE_UNAVAILABLE') throw new Refusal(503, [{ code, message, retryable: true }], 1)
    throw badRequest(code, message, `${pointer}/privateKeyDetails/${MEMBERS[code] ?? 'location'}`)
  }
}

function unmanaged(stated: string | undefined, privateKey: string | undefined, pointer: string): NewAddress {
  if (stated === undefined) throw badRequest('REQUIRED', 'an account that is not managed needs its onchainId', `${pointer}/onchainId`)
  if (privateKey !== undefined)
    throw badRequest('MUTUALLY_EXCLUSIVE', 'a private key is taken only for a managed account', `${pointer}/privateKeyDetails/privateKey`)
  return { address: stated, key: null }
}

/** The error message must not contain the key. */
function imported(platform: Platform, privateKey: string, pointer: string): FreshKey {
  try {
    return platform.keys.import(privateKey)
  } catch {
    throw badRequest('MALFORMED_PRIVATE_KEY', 'privateKey is not the base58 of a 64-byte key pair or a 32-byte seed', pointer)
  }
}
