import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksumOf, generateApiKey, parseApiKey, sameSecretHash } from '../../src/keys/api-key.ts'

const base62 = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')

test('a generated key has the documented format and parses to its id and digest', () => {
  for (let round = 0; round < 200; round += 1) {
    const { keyId, apiKey, secretHash } = generateApiKey()
    expect(apiKey).toMatch(/^hf_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
    expect(parseApiKey(apiKey)).toEqual({ keyId, secretHash })
    expect(secretHash).toMatch(/^[0-9a-f]{64}$/)
  }
})

test('a rotated key keeps its id and has another secret', () => {
  const first = generateApiKey()
  const second = generateApiKey(first.keyId)
  expect(second.keyId).toBe(first.keyId)
  expect(sameSecretHash(first.secretHash, second.secretHash)).toBe(false)
  expect(() => generateApiKey('short')).toThrow()
})

test('the checksum is CRC-32 in six base62 digits, most significant first', () => {
  // The check value of CRC-32 (IEEE) of "123456789" is cbf43926 = 3421780262.
  let value = 0
  for (const digit of checksumOf('123456789')) value = value * 62 + base62.indexOf(digit)
  expect(value).toBe(0xcbf43926)
  expect(checksumOf('')).toBe('000000')
})

test('any change of one character is noticed', () => {
  const { apiKey } = generateApiKey()
  fc.assert(
    fc.property(fc.nat(apiKey.length - 1), fc.constantFrom(...base62, '_', '-', ' '), (at, character) => {
      fc.pre(apiKey[at] !== character)
      expect(parseApiKey(apiKey.slice(0, at) + character + apiKey.slice(at + 1))).toBeNull()
    }),
  )
})

test('two swapped neighbouring characters are noticed', () => {
  const { apiKey } = generateApiKey()
  for (let at = 0; at < apiKey.length - 1; at += 1) {
    if (apiKey[at] === apiKey[at + 1]) continue
    expect(
      parseApiKey(apiKey.slice(0, at) + apiKey.charAt(at + 1) + apiKey.charAt(at) + apiKey.slice(at + 2)),
    ).toBeNull()
  }
})

test('no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(parseApiKey(text)).toBeNull()
    }),
  )
  expect(parseApiKey(`${generateApiKey().apiKey}\n`)).toBeNull()
})

test('all base62 digits occur about equally often', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 2_000; round += 1) {
    for (const digit of generateApiKey().apiKey.slice(16, 59)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  expect(counts.size).toBe(62)
  const expected = (2_000 * 43) / 62
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // 61 degrees of freedom: 160 is beyond one in ten billion, and taking bytes modulo 62 without rejection gives about
  // 600.
  expect(chiSquare).toBeLessThan(160)
})

test('digests of different lengths are unequal', () => {
  const { secretHash } = generateApiKey()
  expect(sameSecretHash(secretHash, secretHash)).toBe(true)
  expect(sameSecretHash(secretHash, secretHash.slice(1))).toBe(false)
})
