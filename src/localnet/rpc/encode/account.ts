// Encodings of accounts: base58 (at most 128 bytes), base64, jsonParsed, and the oldest form, a bare base58 string.

import type { Bank, BankAccount } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { base64 } from '../bytes.ts'
import { invalidParams, invalidRequest } from '../error.ts'
import { countOf, isRecord, oneOf, wrongType } from '../params.ts'
import type { Config } from '../params.ts'
import { parsedAccount } from './parsed-account.ts'

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'jsonParsed'

export interface DataSlice {
  readonly offset: number
  readonly length: number
}

export interface AccountForm {
  readonly encoding: AccountEncoding
  readonly slice: DataSlice | null
}

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const
const MAX_BASE58_BYTES = 128
/** Always rent exempt: the epoch that a real node returns since rent is no longer collected. */
const RENT_EPOCH = (1n << 64n) - 1n

export function accountEncodingOf(value: unknown, otherwise: AccountEncoding): AccountEncoding {
  if (value === undefined || value === null) return otherwise
  const encoding = oneOf(value, ENCODINGS)
  if (encoding === 'base64+zstd') throw invalidParams('base64+zstd encoding is not supported by this node; use base64')
  return encoding
}

/** `encoding` and `dataSlice` of a configuration object. */
export function accountFormOf(config: Config, otherwise: AccountEncoding): AccountForm {
  const encoding = accountEncodingOf(config['encoding'], otherwise)
  const slice = config['dataSlice']
  if (slice === undefined || slice === null) return { encoding, slice: null }
  if (!isRecord(slice)) throw wrongType(slice, 'struct UiDataSliceConfig')
  return { encoding, slice: { offset: countOf(slice['offset']), length: countOf(slice['length']) } }
}

/**
 * The account as `{ lamports, data, owner, executable, rentEpoch, space }`.
 * @throws -32600 for base58 of more than 128 bytes
 */
export function encodedAccount(bank: Bank, account: BankAccount, form: AccountForm): unknown {
  return {
    data: encodedData(bank, account, form),
    executable: account.executable,
    lamports: account.lamports,
    owner: encodeBase58(account.owner),
    rentEpoch: RENT_EPOCH,
    space: account.data.length,
  }
}

function encodedData(bank: Bank, account: BankAccount, form: AccountForm): unknown {
  if (form.encoding === 'jsonParsed')
    return parsedAccount(bank, account) ?? [base64(sliceOf(account.data, form.slice)), 'base64']
  const data = sliceOf(account.data, form.slice)
  if (form.encoding === 'base64') return [base64(data), 'base64']
  if (data.length > MAX_BASE58_BYTES) {
    throw invalidRequest(
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    )
  }
  return form.encoding === 'binary' ? encodeBase58(data) : [encodeBase58(data), 'base58']
}

function sliceOf(data: Uint8Array, slice: DataSlice | null): Uint8Array {
  return slice === null ? data : data.subarray(slice.offset, slice.offset + slice.length)
}
