// Private keys that were refused, imported or exported are wiped from all buffers.
import { beforeEach, expect, it, vi } from 'vitest'
import { isBase58Wiped } from '../../src/solana/base58.ts'
import { generateKeypair, keypairFromPrivateKey, keypairFromSeed } from '../../src/keys/keypair.ts'

const decoded = vi.hoisted(() => [] as Uint8Array[])
const decodedKeys = vi.hoisted(() => [] as Uint8Array[])
vi.mock('../../src/solana/base58.ts', async (original) => {
  const real = await original<typeof import('../../src/solana/base58.ts')>()
  return {
    ...real,
    decodeBase58: (text: string, length: number) => {
      const bytes = real.decodeBase58(text, length)
      if (bytes !== null) decoded.push(bytes)
      return bytes
    },
    encodeBase58: (bytes: Uint8Array) => {
      // An address is no secret.
      if (bytes.length === 64) decodedKeys.push(bytes)
      return real.encodeBase58(bytes)
    },
  }
})
beforeEach(() => {
  decoded.length = 0
  decodedKeys.length = 0
})
const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

it('attack 18: an exported key is wiped from its buffers', () => {
  const keypair = generateKeypair()
  const seed = vi.spyOn(keypair, 'seed')
  const text = keypair.privateKeyText()
  expect(keypairFromPrivateKey(text).address).toBe(keypair.address)
  expect(decodedKeys).toHaveLength(1)
  expect(isZero(decodedKeys[0]!)).toBe(true)
  expect(isZero(seed.mock.results[0]!.value as Uint8Array)).toBe(true)
  expect(isBase58Wiped()).toBe(true)
})

it('attack 18: an imported key is wiped, whether it is accepted or refused', () => {
  const [one, other] = [generateKeypair(), generateKeypair()]
  const text = one.privateKeyText()
  const halves = `${text.slice(0, -1)}${text.endsWith('2') ? '3' : '2'}`
  const attempts: (readonly [string, string | undefined, boolean])[] = [
    [text, undefined, true],
    [text, other.address, false],
    [halves, undefined, false],
    [`${text}1`, undefined, false],
    [text.slice(1), undefined, false],
    [text.replace(/.$/, '0'), undefined, false],
  ]
  for (const [key, expected, taken] of attempts) {
    decoded.length = 0
    const attempt = (): unknown => keypairFromPrivateKey(key, expected)
    if (taken) expect(attempt()).toMatchObject({ address: one.address })
    else expect(attempt).toThrow()
    for (const bytes of decoded) expect([key === text, isZero(bytes)]).toEqual([key === text, true])
    expect(isBase58Wiped()).toBe(true)
  }
})

it('attack 18: a seed remains with its caller, who wipes it', () => {
  const seed = generateKeypair().seed()
  const keypair = keypairFromSeed(seed)
  expect(isZero(seed)).toBe(false)
  seed.fill(0)
  expect(isZero(keypair.seed())).toBe(false)
})
