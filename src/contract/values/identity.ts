// Schemas of ids: onchain (base58), offchain (UUID), and key ids.
import { z } from 'zod'
import { isAddress } from '../../solana/address.ts'
import { rule } from './rule.ts'

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
const KEY_ID = /^[0-9A-Za-z]{12}$/
const SUBJECT_ID = /^jwt:[^\p{Cc}\p{Cs}]{1,255}$/u
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const PRIVATE_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,88}$/

export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** Base58 of 32 bytes in canonical spelling. */
export const address = z
  .string()
  .check(
    rule((value) =>
      isAddress(value)
        ? undefined
        : { code: 'MALFORMED_ADDRESS', message: 'must be the base58 text of a 32-byte address' },
    ),
  )
  .meta({
    minLength: 32,
    maxLength: 44,
    pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
    examples: ['11111111111111111111111111111111'],
  })

/** A UUID; lower case after validation. */
export const uuid = z
  .string()
  .check(rule((value) => (UUID.test(value) ? undefined : { code: 'MALFORMED_UUID', message: 'must be a UUID' })))
  .check(z.overwrite((value) => value.toLowerCase()))
  .meta({ format: 'uuid' })

/** The first signature of a transaction: base58 of 64 bytes. */
export const signature = z
  .string()
  .check(
    rule((value) =>
      SIGNATURE.test(value)
        ? undefined
        : { code: 'MALFORMED_SIGNATURE', message: 'must be the base58 text of a signature' },
    ),
  )
  .meta({ minLength: 64, maxLength: 88 })

export const keyId = z
  .string()
  .check(
    rule((value) =>
      KEY_ID.test(value) ? undefined : { code: 'MALFORMED_KEY_ID', message: 'must be a key id: 12 base62 characters' },
    ),
  )
  .meta({ pattern: KEY_ID.source })

/** A key id, or the `keyId` of a token subject. */
export const keyOrSubjectId = z
  .string()
  .check(
    rule((value) =>
      KEY_ID.test(value) || SUBJECT_ID.test(value)
        ? undefined
        : {
            code: 'MALFORMED_KEY_ID',
            message: 'must be a key id (12 base62 characters), or `jwt:` and the subject of a token',
          },
    ),
  )
  .meta({ pattern: `${KEY_ID.source}|^jwt:.{1,255}$` })

/** Base58 of 64 or 32 bytes. The key code validates it further; messages never repeat the text. */
export const privateKey = z
  .string()
  .check(
    rule((value) =>
      PRIVATE_KEY.test(value)
        ? undefined
        : { code: 'MALFORMED_KEY', message: 'must be the base58 text of a private key' },
    ),
  )
  .meta({ writeOnly: true, minLength: 32, maxLength: 88 })
