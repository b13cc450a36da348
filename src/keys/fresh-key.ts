// Keys that are not stored yet.
import type { LocalSigner } from './signer.ts'
import type { KeyReference } from './vault.ts'

/** A key that can be stored for the record it belongs to. */
export interface Keepable {
  /** Returns the row for the store. Anything stored outside the store is durable before this returns. */
  seal(reference: KeyReference): unknown
  /** Undoes what `seal` did outside the store. */
  discard?(reference: KeyReference): void
}

/** A new key of this process. */
export type FreshKey = LocalSigner & Keepable
