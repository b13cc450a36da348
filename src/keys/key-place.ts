// Keys outside the store. The row in the store is then a reference: the location, the name of the key there, and what
// else is needed to use it. The row contains nothing secret.
import type { RemoteSigner } from './signer.ts'

export type ExternalKeyStore = 'folder' | 'vault' | 'aws-kms' | 'players' | 'remote'

/** The row of an account whose key is outside the store. JSON-safe. */
export interface ExternalKey {
  readonly v: 1
  readonly kept: ExternalKeyStore
  /** Base58 public key. */
  readonly address: string
  /** Name of the key at its location. */
  readonly name: string
  /** Additional data that the location needs at every use. */
  readonly more?: unknown
}

export function isExternalKey(row: unknown): row is ExternalKey {
  if (typeof row !== 'object' || row === null) return false
  const { v, kept, address, name } = row as Record<string, unknown>
  return v === 1 && typeof kept === 'string' && typeof address === 'string' && typeof name === 'string'
}

/** A location where keys are created and which they never leave. */
export interface RemoteKeys<Request = undefined> {
  /** Creates a key. Throws KeyPlaceError. */
  make(request: Request): Promise<ExternalKey>
  signer(key: ExternalKey): RemoteSigner
}

/** A location that can list its keys, so that keys left without a record by a crash are found. */
export interface ListedKeys extends RemoteKeys {
  /**
   * Names of the keys that were created for this service before this run and are not known to it. Rejects when the
   * location cannot list its keys.
   */
  unknown(isKnown: (name: string) => boolean): Promise<string[]>
}

export type KeyPlaceProblem =
  | 'KEY_LOCATION_UNAVAILABLE'
  | 'KEY_IMPORT_UNAVAILABLE'
  | 'KEY_STORE_UNAVAILABLE'
  | 'PLAYER_UNKNOWN'
  | 'THRESHOLD_INVALID'
  | 'REMOTE_SIGNER_UNKNOWN'
  | 'REMOTE_SIGNER_UNAVAILABLE'
  | 'REMOTE_KEY_REFUSED'
  | 'PUBLIC_KEY_REQUIRED'

/** Why no key was created. The message contains no secret. */
export class KeyPlaceError extends Error {
  override readonly name = 'KeyPlaceError'
  readonly code: KeyPlaceProblem

  constructor(code: KeyPlaceProblem, reason: string) {
    super(reason)
    this.code = code
  }
}
