// Envelope encryption of private keys. Each key has a data key of its own, wrapped by the master key; both layers are
// bound to tenant, cluster, account, address and key version, so no row or part of a row is valid in place of another.
// Only the wrapping is bound to the master key: a new one requires rewrapping the data keys, not re-encrypting what
// they seal.
import { randomBytes } from 'node:crypto'
import { open, seal } from './aead.ts'
import { keypairFromSeed } from './keypair.ts'
import type { Keypair } from './keypair.ts'

/** Wraps data keys; implemented by the local master key. */
export interface KeyWrapper {
  readonly id: string
  wrap(dataKey: Uint8Array, context: Uint8Array): string
  /** Null when the key was not wrapped under that id in this context. The caller zeroes the returned buffer. */
  unwrap(wrapped: string, context: Uint8Array, id: string): Buffer | null
  /** Whether it can unwrap what was wrapped under that id. */
  knows(id: string): boolean
}

/** Identifies the owner of a key. `address` is its base58 public key. */
export interface KeyReference {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly address: string
}

/** A private key at rest: JSON-safe, ciphertext only. */
export interface SealedKey {
  readonly v: 1
  readonly keyVersion: number
  readonly masterKeyId: string
  /** The wrapped data key. */
  readonly dek: string
  /** The 32-byte seed, sealed under the data key. */
  readonly seed: string
}

/** A sealed row that does not open: damaged, moved from another place, or sealed under another master key. */
export class SealedKeyError extends Error {
  constructor(reference: KeyReference, reason: string) {
    super(`The stored private key of ${reference.address} cannot be opened: ${reason}`)
    this.name = 'SealedKeyError'
  }
}

/** JSON text of a list, so that no choice of names makes two different references equal. */
function contextOf(reference: KeyReference, keyVersion: number, ...more: string[]): Buffer {
  const { tenant, cluster, id, address } = reference
  return Buffer.from(JSON.stringify(['holdfast key 1', tenant, cluster, id, address, keyVersion, ...more]))
}

function isSealedKey(row: unknown): row is SealedKey {
  if (typeof row !== 'object' || row === null) return false
  const { v, keyVersion, masterKeyId, dek, seed } = row as Record<string, unknown>
  const texts = typeof masterKeyId === 'string' && typeof dek === 'string' && typeof seed === 'string'
  return v === 1 && Number.isSafeInteger(keyVersion) && texts
}

export class Vault {
  readonly #wrapper: KeyWrapper

  constructor(wrapper: KeyWrapper) {
    this.#wrapper = wrapper
  }

  /** @throws Error when the key pair is not that of the reference */
  seal(reference: KeyReference, keypair: Keypair, keyVersion = 1): SealedKey {
    if (keypair.address !== reference.address) throw new Error('A key can only be sealed for its own address')
    const masterKeyId = this.#wrapper.id
    const dataKey = randomBytes(32)
    const seed = keypair.seed()
    try {
      const dek = this.#wrapper.wrap(dataKey, contextOf(reference, keyVersion, masterKeyId))
      return { v: 1, keyVersion, masterKeyId, dek, seed: seal(dataKey, seed, contextOf(reference, keyVersion)) }
    } finally {
      dataKey.fill(0)
      seed.fill(0)
    }
  }

  /** @throws SealedKeyError when the row is not the intact key of this reference under a known master key */
  open(reference: KeyReference, row: unknown): Keypair {
    if (!isSealedKey(row)) throw new SealedKeyError(reference, 'the row is malformed')
    const dataKey = this.#dataKeyOf(reference, row)
    const seed = open(dataKey, row.seed, contextOf(reference, row.keyVersion))
    dataKey.fill(0)
    if (seed === null) throw new SealedKeyError(reference, 'the row was changed')
    try {
      return keypairFromSeed(seed, reference.address)
    } finally {
      seed.fill(0)
    }
  }

  /** The row with its data key wrapped under the current master key; null when it already is. Throws like `open`. */
  rewrap(reference: KeyReference, row: unknown): SealedKey | null {
    if (!isSealedKey(row)) throw new SealedKeyError(reference, 'the row is malformed')
    const masterKeyId = this.#wrapper.id
    if (row.masterKeyId === masterKeyId) return null
    const dataKey = this.#dataKeyOf(reference, row)
    const dek = this.#wrapper.wrap(dataKey, contextOf(reference, row.keyVersion, masterKeyId))
    dataKey.fill(0)
    return { ...row, masterKeyId, dek }
  }

  #dataKeyOf(reference: KeyReference, { masterKeyId, dek, keyVersion }: SealedKey): Buffer {
    if (!this.#wrapper.knows(masterKeyId)) throw new SealedKeyError(reference, 'it was sealed under another master key')
    const dataKey = this.#wrapper.unwrap(dek, contextOf(reference, keyVersion, masterKeyId), masterKeyId)
    if (dataKey?.length !== 32) throw new SealedKeyError(reference, 'its data key does not unwrap')
    return dataKey
  }
}
