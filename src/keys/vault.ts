// Envelope encryption of private keys. Each key has a data key of its own, wrapped by the master key. The wrapping is
// bound to tenant, cluster, account, address and key version, and the sealed seed to its data key, which no other row
// has: no row or part of a row is valid in place of another. Only the wrapping is bound to the master key: a new one
// requires rewrapping the data keys, not re-encrypting what they seal. The seed is bound to its public key alone, so
// that it can be sealed before the account of the key is known.
import { randomBytes } from 'node:crypto'
import { decodeBase58 } from '../solana/base58.ts'
import { open, seal } from './aead.ts'
import { keypairFromSeed } from './keypair.ts'
import type { Keypair } from './keypair.ts'

/** Wraps data keys; implemented by the local master key. */
export interface KeyWrapper {
  readonly id: string
  wrap(dataKey: Uint8Array, context: Uint8Array): string
  /** Null when the key was not wrapped under that id in this context. The caller zeroes the returned buffer. */
  unwrap(wrapped: string, context: Uint8Array, id: string): Buffer | null
  /** True if it can unwrap keys that were wrapped under that id. */
  knows(id: string): boolean
}

/** Identifies the owner of a key. `address` is its base58 public key. */
export interface KeyReference {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly address: string
}

/** A new key whose seed is sealed, of no account yet. */
export interface PreparedKey {
  readonly address: string
  /** The 32-byte seed, sealed under the data key. */
  readonly seed: string
  /** Secret, of this key alone. */
  readonly dataKey: Uint8Array
}

/** A private key at rest: JSON-safe, ciphertext only. In version 1, the seed is bound to the place of the key too. */
export interface SealedKey {
  readonly v: 1 | 2
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

/** Begins the context of a seed; the 32 bytes of its public key end it. */
export const SEED_CONTEXT = 'holdfast key 2 seed '

type Version = Pick<SealedKey, 'v' | 'keyVersion'>

/** JSON text of a list, so that no choice of names makes two different references equal. */
function contextOf(reference: KeyReference, { v, keyVersion }: Version, ...more: string[]): Buffer {
  const { tenant, cluster, id, address } = reference
  return Buffer.from(JSON.stringify([`holdfast key ${v}`, tenant, cluster, id, address, keyVersion, ...more]))
}

function seedContextOf(reference: KeyReference, version: Version): Buffer {
  return version.v === 1 ? contextOf(reference, version) : boundToAddress(reference.address)
}

const boundToAddress = (address: string): Buffer =>
  Buffer.concat([Buffer.from(SEED_CONTEXT), decodeBase58(address, 32) ?? Buffer.from(address)])

function isSealedKey(row: unknown): row is SealedKey {
  if (typeof row !== 'object' || row === null) return false
  const { v, keyVersion, masterKeyId, dek, seed } = row as Record<string, unknown>
  const texts = typeof masterKeyId === 'string' && typeof dek === 'string' && typeof seed === 'string'
  return (v === 1 || v === 2) && Number.isSafeInteger(keyVersion) && texts
}

export class Vault {
  readonly #wrapper: KeyWrapper

  constructor(wrapper: KeyWrapper) {
    this.#wrapper = wrapper
  }

  /** @throws Error when the key pair is not that of the reference */
  seal(reference: KeyReference, keypair: Keypair, keyVersion = 1): SealedKey {
    if (keypair.address !== reference.address) throw new Error('A key can only be sealed for its own address')
    const dataKey = randomBytes(32)
    const bytes = keypair.seed()
    try {
      const seed = seal(dataKey, bytes, boundToAddress(keypair.address))
      return this.#wrapped(reference, { address: keypair.address, seed, dataKey }, keyVersion)
    } finally {
      dataKey.fill(0)
      bytes.fill(0)
    }
  }

  /**
   * Gives a prepared key to its account. The data key is in no buffer afterwards.
   * @throws Error when the key is not that of the reference
   */
  assign(reference: KeyReference, prepared: PreparedKey): SealedKey {
    if (prepared.address !== reference.address) throw new Error('A key can only be sealed for its own address')
    const row = this.#wrapped(reference, prepared, 1)
    prepared.dataKey.fill(0)
    return row
  }

  /** The row of a key for another account of the same address. Throws like `open`. */
  reassign(from: KeyReference, row: SealedKey, to: KeyReference): SealedKey {
    const dataKey = this.#dataKeyOf(from, row)
    return this.assign(to, { address: from.address, seed: row.seed, dataKey })
  }

  /** The key pair of a prepared key that was not assigned yet. */
  openPrepared({ address, seed: sealed, dataKey }: PreparedKey): Keypair {
    const seed = open(dataKey, sealed, boundToAddress(address))
    if (seed === null) throw new Error('A prepared key does not open')
    try {
      return keypairFromSeed(seed, address)
    } finally {
      seed.fill(0)
    }
  }

  #wrapped(reference: KeyReference, { seed, dataKey }: PreparedKey, keyVersion: number): SealedKey {
    const masterKeyId = this.#wrapper.id
    const context = contextOf(reference, { v: 2, keyVersion }, masterKeyId)
    return { v: 2, keyVersion, masterKeyId, dek: this.#wrapper.wrap(dataKey, context), seed }
  }

  /** @throws SealedKeyError when the row is not the intact key of this reference under a known master key */
  open(reference: KeyReference, row: unknown): Keypair {
    if (!isSealedKey(row)) throw new SealedKeyError(reference, 'the row is malformed')
    const dataKey = this.#dataKeyOf(reference, row)
    const seed = open(dataKey, row.seed, seedContextOf(reference, row))
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
    const dek = this.#wrapper.wrap(dataKey, contextOf(reference, row, masterKeyId))
    dataKey.fill(0)
    return { ...row, masterKeyId, dek }
  }

  #dataKeyOf(reference: KeyReference, row: SealedKey): Buffer {
    const { masterKeyId, dek } = row
    if (!this.#wrapper.knows(masterKeyId)) throw new SealedKeyError(reference, 'it was sealed under another master key')
    const dataKey = this.#wrapper.unwrap(dek, contextOf(reference, row, masterKeyId), masterKeyId)
    if (dataKey?.length !== 32) throw new SealedKeyError(reference, 'its data key does not unwrap')
    return dataKey
  }
}
