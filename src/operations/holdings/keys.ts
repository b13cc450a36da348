// Where a new account's key comes from: made here, brought by the caller, or kept elsewhere.
import type { NewAccountInput } from '../input.ts'
import type { FreshKey, Platform } from '../platform.ts'
import { badRequest } from '../refusal.ts'

export interface AccountKey {
  readonly fresh: FreshKey
  readonly origin: 'service' | 'imported'
  readonly location: 'DATABASE'
}

export interface NewAddress {
  readonly address: string
  /** null: the key is not managed here. */
  readonly key: AccountKey | null
}

/**
 * The address of a new account and its key. `managed` defaults to true unless only an address is given.
 *
 * Throws 400 `PRIVATE_KEY_MISMATCH`, `MALFORMED_PRIVATE_KEY`, `REQUIRED`, `KEY_LOCATION_UNAVAILABLE`, `MUTUALLY_EXCLUSIVE`.
 */
export function newAddress(platform: Platform, input: NewAccountInput, pointer: string): NewAddress {
  const details = input.privateKeyDetails
  const privateKey = details?.privateKey
  const stated = input.onchainId ?? details?.publickKey
  if (input.onchainId !== undefined && details?.publickKey !== undefined && input.onchainId !== details.publickKey) {
    throw badRequest('PRIVATE_KEY_MISMATCH', 'publickKey is not onchainId', `${pointer}/privateKeyDetails/publickKey`)
  }
  const managed = input.managed ?? (privateKey !== undefined || stated === undefined)
  if (!managed) return unmanaged(stated, privateKey, pointer)
  const location = details?.location?.find((where) => where !== 'DATABASE') ?? ((details?.dkgKeys?.length ?? 0) > 0 ? 'DKG' : 'DATABASE')
  if (location !== 'DATABASE') {
    throw badRequest(
      'KEY_LOCATION_UNAVAILABLE',
      `keys cannot be kept in ${location} on this server`,
      `${pointer}/privateKeyDetails/location`,
    )
  }
  if (privateKey === undefined) {
    if (stated !== undefined)
      throw badRequest('REQUIRED', 'a managed account at a given address needs its private key', `${pointer}/privateKeyDetails/privateKey`)
    const fresh = platform.keys.generate()
    return { address: fresh.address, key: { fresh, origin: 'service', location } }
  }
  const fresh = imported(platform, privateKey, `${pointer}/privateKeyDetails/privateKey`)
  if (stated !== undefined && stated !== fresh.address) {
    throw badRequest('PRIVATE_KEY_MISMATCH', 'privateKey does not derive the address given', `${pointer}/privateKeyDetails/privateKey`)
  }
  return { address: fresh.address, key: { fresh, origin: 'imported', location } }
}

function unmanaged(stated: string | undefined, privateKey: string | undefined, pointer: string): NewAddress {
  if (stated === undefined) throw badRequest('REQUIRED', 'an account that is not managed needs its onchainId', `${pointer}/onchainId`)
  if (privateKey !== undefined)
    throw badRequest('MUTUALLY_EXCLUSIVE', 'a private key is taken only for a managed account', `${pointer}/privateKeyDetails/privateKey`)
  return { address: stated, key: null }
}

/** The message of a refusal never repeats the key. */
function imported(platform: Platform, privateKey: string, pointer: string): FreshKey {
  try {
    return platform.keys.import(privateKey)
  } catch {
    throw badRequest('MALFORMED_PRIVATE_KEY', 'privateKey is not the base58 of a 64-byte key pair or a 32-byte seed', pointer)
  }
}
