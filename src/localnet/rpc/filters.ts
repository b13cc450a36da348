// The filters of getProgramAccounts and programSubscribe: dataSize, memcmp (base58, base64 or raw bytes),
// tokenAccountState.

import type { BankAccount } from '../contract.ts'
import { decodeBase58 } from '../base58.ts'
import { sameBytes } from '../accounts.ts'
import { decodeBase64 } from './bytes.ts'
import { isTokenAccountData } from './encode/mint.ts'
import { invalidParams } from './error.ts'
import { arrayOf, countOf, isRecord, oneOf, wrongType } from './params.ts'

export type Filter =
  | { readonly kind: 'dataSize'; readonly size: number }
  | { readonly kind: 'memcmp'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'tokenAccountState' }

const MAX_FILTERS = 4
const MAX_MEMCMP_BYTES = 128
const MAX_BASE58_TEXT = 175
const MAX_BASE64_TEXT = 172

/**
 * The filters of a configuration; none when absent.
 * @throws -32602 for more than four, or malformed ones
 */
export function filtersOf(value: unknown): readonly Filter[] {
  if (value === undefined || value === null) return []
  const filters = arrayOf(value)
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`)
  return filters.map(filterOf)
}

function filterOf(value: unknown): Filter {
  if (value === 'tokenAccountState') return { kind: 'tokenAccountState' }
  if (!isRecord(value)) throw wrongType(value, 'enum RpcFilterType')
  if (Object.hasOwn(value, 'tokenAccountState')) return { kind: 'tokenAccountState' }
  if (Object.hasOwn(value, 'dataSize')) return { kind: 'dataSize', size: countOf(value['dataSize']) }
  const memcmp = value['memcmp']
  if (!Object.hasOwn(value, 'memcmp'))
    throw invalidParams('Invalid params: unknown variant, expected one of `dataSize`, `memcmp`.')
  if (!isRecord(memcmp)) throw wrongType(memcmp, 'struct Memcmp')
  return { kind: 'memcmp', offset: countOf(memcmp['offset']), bytes: memcmpBytes(memcmp['bytes'], memcmp['encoding']) }
}

function memcmpBytes(value: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(value)) return rawBytes(value)
  if (typeof value !== 'string') throw wrongType(value, 'a string')
  const form = encoding === undefined || encoding === null ? 'base58' : oneOf(encoding, ['base58', 'base64', 'bytes'])
  if (value.length > (form === 'base64' ? MAX_BASE64_TEXT : MAX_BASE58_TEXT))
    throw invalidParams('Invalid param: DataTooLarge')
  const bytes = form === 'base64' ? decodeBase64(value) : decodeBase58(value)
  if (bytes === null) throw invalidParams('Invalid param: DecodeError')
  if (bytes.length > MAX_MEMCMP_BYTES) throw invalidParams('Invalid param: DataTooLarge')
  return bytes
}

function rawBytes(values: readonly unknown[]): Uint8Array {
  if (values.length > MAX_MEMCMP_BYTES) throw invalidParams('Invalid param: DataTooLarge')
  const bytes = new Uint8Array(values.length)
  values.forEach((value, index) => {
    const byte = countOf(value)
    if (byte > 255) throw invalidParams(`Invalid params: invalid value: integer \`${byte}\`, expected u8.`)
    bytes[index] = byte
  })
  return bytes
}

/** Whether an account passes every filter. */
export function passesFilters(filters: readonly Filter[], account: BankAccount): boolean {
  return filters.every((filter) => {
    switch (filter.kind) {
      case 'dataSize':
        return account.data.length === filter.size
      case 'tokenAccountState':
        return isTokenAccountData(account.data)
      case 'memcmp': {
        const end = filter.offset + filter.bytes.length
        return end <= account.data.length && sameBytes(account.data.subarray(filter.offset, end), filter.bytes)
      }
    }
  })
}
