// Ed25519 key pairs on node:crypto. The private key lives in a KeyObject, outside the JavaScript heap; buffers that
// contained a seed are zeroed. Nothing here prints, serializes or throws a private key.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'
import { decodeBase58, encodeBase58, wipeBase58 } from '../solana/base58.ts'
import type { LocalSigner } from './signer.ts'

/** PKCS #8 (RFC 8410) of an Ed25519 seed up to the 32 bytes of the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export type KeyProblem = 'MALFORMED_PRIVATE_KEY' | 'PRIVATE_KEY_MISMATCH'

/** The text is not a private key, or not that of the address. The message never repeats it. */
export class PrivateKeyError extends Error {
  readonly code: KeyProblem

  constructor(code: KeyProblem) {
    super(
      code === 'MALFORMED_PRIVATE_KEY'
        ? 'Not a base58 Ed25519 private key'
        : 'The private key does not derive the expected address',
    )
    this.name = 'PrivateKeyError'
    this.code = code
  }
}

export class Keypair implements LocalSigner {
  readonly address: string
  readonly remote = false
  readonly #key: KeyObject

  constructor(address: string, key: KeyObject) {
    this.address = address
    this.#key = key
  }

  sign(message: Uint8Array): Uint8Array {
    return sign(null, message, this.#key)
  }

  /** The 32-byte seed. The caller zeroes it. */
  seed(): Buffer {
    const der = this.#key.export({ format: 'der', type: 'pkcs8' })
    const seed = Buffer.from(der.subarray(PKCS8_PREFIX.length))
    der.fill(0)
    return seed
  }

  /** Solana's format: base58 of seed and public key, 64 bytes. Only for the export of a key. */
  privateKeyText(): string {
    const seed = this.seed()
    const bytes = Buffer.concat([seed, decodeBase58(this.address, 32)!])
    const text = encodeBase58(bytes)
    seed.fill(0)
    bytes.fill(0)
    wipeBase58()
    return text
  }
}

const addressOf = ({ x }: JsonWebKey): string => encodeBase58(Buffer.from(x!, 'base64url'))

/**
 * The key pair of a 32-byte seed. The caller owns and zeroes the seed.
 * @throws PrivateKeyError when the length is wrong, or the seed does not derive `expectedAddress`
 */
export function keypairFromSeed(seed: Uint8Array, expectedAddress?: string): Keypair {
  if (seed.length !== 32) throw new PrivateKeyError('MALFORMED_PRIVATE_KEY')
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  let key: KeyObject
  try {
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    der.fill(0)
  }
  const address = addressOf(createPublicKey(key).export({ format: 'jwk' }))
  if (expectedAddress !== undefined && address !== expectedAddress) throw new PrivateKeyError('PRIVATE_KEY_MISMATCH')
  return new Keypair(address, key)
}

/**
 * The public key comes with the pair. Exporting it afterwards as a JWK can block the thread for ever: the export holds
 * the lock of the pair while it allocates, and a collection at that moment ends the job that generated the pair, which
 * takes the same lock (node 20).
 */
const WITH_PUBLIC_KEY = { publicKeyEncoding: { format: 'jwk' } } as const

/** A new key pair, generated outside the JavaScript heap: there is no seed to zero. */
export function generateKeypair(): Keypair {
  // The declared types have no pair of which only one half is encoded.
  const pair: { readonly publicKey: object; readonly privateKey: KeyObject } = generateKeyPairSync(
    'ed25519',
    WITH_PUBLIC_KEY as object,
  )
  return new Keypair(addressOf(pair.publicKey as JsonWebKey), pair.privateKey)
}

/**
 * The key pair of a private key as a client sends it: base58 of 64 bytes (seed and public key, which must match) or of
 * a 32-byte seed.
 * @throws PrivateKeyError
 */
export function keypairFromPrivateKey(text: string, expectedAddress?: string): Keypair {
  const bytes = decodeBase58(text, 64) ?? decodeBase58(text, 32)
  try {
    if (bytes === null) throw new PrivateKeyError('MALFORMED_PRIVATE_KEY')
    if (bytes.length === 64 && keypairFromSeed(bytes.subarray(0, 32)).address !== encodeBase58(bytes.subarray(32))) {
      throw new PrivateKeyError('MALFORMED_PRIVATE_KEY')
    }
    return keypairFromSeed(bytes.subarray(0, 32), expectedAddress)
  } finally {
    bytes?.fill(0)
    wipeBase58()
  }
}

/**
 * Whether the 64 bytes are the address's signature of the message. Returns false, and never throws, for malformed
 * input.
 */
export function verifySignature(message: Uint8Array, signature: Uint8Array, address: string): boolean {
  const bytes = decodeBase58(address, 32)
  if (signature.length !== 64 || bytes === null) return false
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') }
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
}
