// API keys: `hf_<keyId 12 base62>_<secret 43 base62><crc32 6 base62>`. The secret has 256 bits, so its plain SHA-256 is
// stored. The checksum distinguishes keys from typing errors without a lookup, also for secret scanners. A parsed key
// contains only the digest, not the secret.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = /^(hf_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))([0-9A-Za-z]{6})$/
const KEY_LENGTH = 65
const KEY_ID = /^[0-9A-Za-z]{12}$/

export interface NewApiKey {
  readonly keyId: string
  /** The bearer value. Shown once, never stored. */
  readonly apiKey: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
}

export interface ParsedApiKey {
  readonly keyId: string
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string
}

/** Six base62 digits of the CRC-32 (IEEE) of `text`, most significant first. */
export function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 below 256; larger values would make the first digits more likely.
      if (byte < 248 && text.length < length) text += DIGITS.charAt(byte % 62)
    }
  }
  return text
}

/** A new key; with `keyId`, a new secret for that id (rotation). */
export function generateApiKey(keyId: string = randomBase62(12)): NewApiKey {
  if (!KEY_ID.test(keyId)) throw new Error('A key id has 12 base62 digits')
  const secret = randomBase62(43)
  const body = `hf_${keyId}_${secret}`
  return { keyId, apiKey: body + checksumOf(body), secretHash: hash('sha256', secret) }
}

/** Null for any text that is not a key with a correct checksum. Costs no lookup and about 3 us. */
export function parseApiKey(text: string): ParsedApiKey | null {
  if (text.length !== KEY_LENGTH) return null
  const match = KEY.exec(text)
  if (match === null || checksumOf(match[1]!) !== match[4]) return null
  return { keyId: match[2]!, secretHash: hash('sha256', match[3]!) }
}

/** The key id in a text that looks like a key, whether or not it is valid. */
export function keyIdIn(text: string): string | null {
  return /^hf_([0-9A-Za-z]{12})_/.exec(text)?.[1] ?? null
}

/** Compares two hex digests in constant time; false when the lengths differ. */
export function sameSecretHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
