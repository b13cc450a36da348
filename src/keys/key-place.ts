// A place for keys outside of the store. The store's row is then a reference: where the key is, under what name, and what else it takes
// to use it. It holds nothing secret.
import type { RemoteSigner } from './signer.ts'

export type KeptIn = 'folder' | 'vault' | 'aws-kms' | 'players'

/** The row of an account whose key is kept elsewhere. JSON-safe. */
export interface KeyElsewhere {
  readonly v: 1
  readonly kept: KeptIn
  /** Base58 public key. */
  readonly address: string
  /** What the place knows the key by. */
  readonly name: string
  /** What the place wants to be told again with every use. */
  readonly more?: unknown
}

export function isKeyElsewhere(row: unknown): row is KeyElsewhere {
  if (typeof row !== 'object' || row === null) return false
  const { v, kept, address, name } = row as Record<string, unknown>
  return v === 1 && typeof kept === 'string' && typeof address === 'string' && typeof name === 'string'
}

/** A place where keys are made, and never leave. */
export interface RemoteKeys<Wish = undefined> {
  /** Makes a key. Throws KeyPlaceError. */
  make(wish: Wish): Promise<KeyElsewhere>
  signer(key: KeyElsewhere): RemoteSigner
}

/** A place that can say what it has, so that a key which a crash left without a record is noticed. */
export interface ListedKeys extends RemoteKeys {
  /** Names of the keys that were made for this service before this run of it, and are not among those it knows. Rejects when the place does not tell. */
  unknown(isKnown: (name: string) => boolean): Promise<string[]>
}

export type KeyPlaceProblem =
  'KEY_LOCATION_UNAVAILABLE' | 'KEY_IMPORT_UNAVAILABLE' | 'KEY_STORE_UNAVAILABLE' | 'PLAYER_UNKNOWN' | 'THRESHOLD_INVALID'

/** Why no key was made. The message holds no secret. */
export class KeyPlaceError extends Error {
  override readonly name = 'KeyPlaceError'
  readonly code: KeyPlaceProblem

  constructor(code: KeyPlaceProblem, reason: string) {
    super(reason)
    this.code = code
  }
}
