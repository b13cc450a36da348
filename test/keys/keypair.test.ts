import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import { Keypair as Web3Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import {
  generateKeypair,
  keypairFromPrivateKey,
  keypairFromSeed,
  PrivateKeyError,
  verifySignature,
} from '../../src/keys/keypair.ts'

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })
const messages = fc.uint8Array({ maxLength: 1232 })

test('addresses, private keys and signatures equal those of the Solana SDK', () => {
  fc.assert(
    fc.property(seeds, messages, (seed, message) => {
      const expected = Web3Keypair.fromSeed(seed)
      const actual = keypairFromSeed(seed)
      expect(actual.address).toBe(expected.publicKey.toBase58())
      expect(actual.privateKeyText()).toBe(bs58.encode(expected.secretKey))
      expect(Buffer.from(actual.seed())).toEqual(Buffer.from(seed))
      const signature = actual.sign(message)
      expect(signature).toHaveLength(64)
      expect(verifySignature(message, signature, actual.address)).toBe(true)
      expect(verifySignature(Buffer.concat([message, Buffer.of(1)]), signature, actual.address)).toBe(false)
    }),
    { numRuns: 40 },
  )
})

test('a private key is imported as 64 bytes or as a seed', () => {
  const keypair = generateKeypair()
  const { address } = keypair
  expect(keypairFromPrivateKey(keypair.privateKeyText(), address).address).toBe(address)
  expect(keypairFromPrivateKey(bs58.encode(keypair.seed()), address).address).toBe(address)
})

test('a key of another address, or with the public half of another key, is refused', () => {
  const [one, other] = [generateKeypair(), generateKeypair()]
  const mismatch = expect.objectContaining({ code: 'PRIVATE_KEY_MISMATCH' }) as Error
  expect(() => keypairFromPrivateKey(one.privateKeyText(), other.address)).toThrow(mismatch)
  const mixed = bs58.encode(Buffer.concat([one.seed(), bs58.decode(other.address)]))
  expect(() => keypairFromPrivateKey(mixed, other.address)).toThrow(
    expect.objectContaining({ code: 'MALFORMED_PRIVATE_KEY' }),
  )
})

test('a malformed key is refused, and the error does not quote it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 120 }), (text) => {
      expect(() => keypairFromPrivateKey(text)).toThrow(PrivateKeyError)
    }),
  )
  const damaged = `${generateKeypair().privateKeyText().slice(0, -4)}0000`
  expect(() => keypairFromPrivateKey(damaged)).toThrow(expect.not.stringContaining(damaged.slice(0, 20)))
})

test('malformed signatures and addresses verify as false', () => {
  const keypair = generateKeypair()
  const message = Buffer.from('message')
  const signature = keypair.sign(message)
  expect(verifySignature(message, signature.subarray(1), keypair.address)).toBe(false)
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.uint8Array({ minLength: 64, maxLength: 64 }), (address, bytes) => {
      expect(verifySignature(message, bytes, address)).toBe(false)
      expect(verifySignature(message, bytes, keypair.address)).toBe(false)
    }),
  )
})

test('a printed or serialized key pair does not contain the private half', () => {
  const keypair = generateKeypair()
  const text =
    inspect(keypair, { depth: 10, showHidden: true }) +
    JSON.stringify(keypair) +
    JSON.stringify(Object.entries(keypair))
  expect(text).toContain(keypair.address)
  const seed = keypair.seed()
  for (const form of [keypair.privateKeyText(), seed.toString('hex'), seed.toString('base64'), bs58.encode(seed)]) {
    expect(text).not.toContain(form)
  }
})

test('a generated key is not exported as a JWK, which can block the thread indefinitely', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const exports = [privateKey, createPublicKey(privateKey)].map((key) =>
    vi.spyOn(Object.getPrototypeOf(key) as KeyObject, 'export'),
  )
  expect(generateKeypair().seed()).toHaveLength(32)
  const calls = exports.flatMap(({ mock }) => mock.calls)
  expect(calls).toEqual([[{ format: 'der', type: 'pkcs8' }]])
  vi.restoreAllMocks()
})
