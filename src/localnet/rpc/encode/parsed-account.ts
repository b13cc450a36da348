// Accounts in the `jsonParsed` form: mints, token accounts and multisigs of both token programs, nonce accounts and
// address lookup tables. Null for any other account and for data that does not parse; the caller then answers base64.

import type { Bank, BankAccount } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { ByteReader } from '../bytes.ts'
import {
  isMintData,
  isTokenAccountData,
  mintDisplay,
  MULTISIG_LENGTH,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './mint.ts'
import { parsedExtensions } from './parsed-extension.ts'
import { uiTokenAmount } from './ui-amount.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
const NONCE_LENGTH = 80
const LOOKUP_TABLE_META_LENGTH = 56
const TOKEN_STATES = ['uninitialized', 'initialized', 'frozen']

export interface ParsedAccount {
  readonly program: string
  readonly parsed: { readonly type: string; readonly info?: unknown }
  readonly space: number
}

type Parsed = { readonly type: string; readonly info?: unknown } | null

/** The parsed form of an account, or null when there is none. */
export function parsedAccount(bank: Bank, account: BankAccount): ParsedAccount | null {
  const [program, parse] = parserOf(encodeBase58(account.owner))
  if (parse === null) return null
  try {
    const parsed = parse(account.data, bank)
    return parsed === null ? null : { program, parsed, space: account.data.length }
  } catch {
    return null
  }
}

function parserOf(owner: string): [string, ((data: Uint8Array, bank: Bank) => Parsed) | null] {
  switch (owner) {
    case TOKEN_PROGRAM:
      return ['spl-token', tokenState]
    case TOKEN_2022_PROGRAM:
      return ['spl-token-2022', tokenState]
    case SYSTEM_PROGRAM:
      return ['nonce', nonceState]
    case LOOKUP_TABLE_PROGRAM:
      return ['address-lookup-table', lookupTable]
    default:
      return ['', null]
  }
}

function tokenState(data: Uint8Array, bank: Bank): Parsed {
  if (isTokenAccountData(data)) return tokenAccount(data, bank)
  if (isMintData(data)) return { type: 'mint', info: mintInfo(data) }
  return data.length === MULTISIG_LENGTH ? { type: 'multisig', info: multisigInfo(data) } : null
}

function optionalAddress(reader: ByteReader): string | null {
  const present = reader.u32() !== 0
  const address = reader.take(32)
  return present ? encodeBase58(address) : null
}

function tokenAccount(data: Uint8Array, bank: Bank): Parsed {
  const reader = new ByteReader(data)
  const mint = reader.take(32)
  const display = mintDisplay(bank, mint)
  if (display === null) return null
  const uiAmount = (raw: bigint): unknown => uiTokenAmount(raw, display.decimals, display.multiplier)
  const owner = reader.address()
  const amount = reader.u64()
  const delegate = optionalAddress(reader)
  const state = TOKEN_STATES[reader.u8()] ?? 'uninitialized'
  const isNative = reader.u32() !== 0
  const reserve = reader.u64()
  const delegated = reader.u64()
  const closeAuthority = optionalAddress(reader)
  const extensions = parsedExtensions(data)
  return {
    type: 'account',
    info: {
      mint: encodeBase58(mint),
      owner,
      tokenAmount: uiAmount(amount),
      delegate: delegate ?? undefined,
      state,
      isNative,
      rentExemptReserve: isNative ? uiAmount(reserve) : undefined,
      delegatedAmount: delegate === null ? undefined : uiAmount(delegated),
      closeAuthority: closeAuthority ?? undefined,
      extensions: extensions.length === 0 ? undefined : extensions,
    },
  }
}

function mintInfo(data: Uint8Array): unknown {
  const reader = new ByteReader(data)
  const mintAuthority = optionalAddress(reader)
  const supply = reader.u64()
  const decimals = reader.u8()
  const isInitialized = reader.bool()
  const freezeAuthority = optionalAddress(reader)
  const extensions = parsedExtensions(data)
  return {
    mintAuthority,
    supply: supply.toString(),
    decimals,
    isInitialized,
    freezeAuthority,
    extensions: extensions.length === 0 ? undefined : extensions,
  }
}

function multisigInfo(data: Uint8Array): unknown {
  const reader = new ByteReader(data)
  const numRequiredSigners = reader.u8()
  const numValidSigners = reader.u8()
  const isInitialized = reader.bool()
  const signers = Array.from({ length: 11 }, () => reader.optionalAddress()).filter((signer) => signer !== null)
  return { numRequiredSigners, numValidSigners, isInitialized, signers }
}

function nonceState(data: Uint8Array): Parsed {
  if (data.length !== NONCE_LENGTH) return null
  const reader = new ByteReader(data, 4)
  if (reader.u32() === 0) return { type: 'uninitialized' }
  const authority = reader.address()
  const blockhash = reader.address()
  return {
    type: 'initialized',
    info: { authority, blockhash, feeCalculator: { lamportsPerSignature: reader.u64().toString() } },
  }
}

function lookupTable(data: Uint8Array): Parsed {
  const reader = new ByteReader(data)
  if (reader.u32() === 0) return { type: 'uninitialized' }
  const deactivationSlot = reader.u64().toString()
  const lastExtendedSlot = reader.u64().toString()
  const lastExtendedSlotStartIndex = reader.u8()
  const authority = reader.bool() ? reader.address() : undefined
  const addresses: string[] = []
  for (reader.offset = LOOKUP_TABLE_META_LENGTH; reader.offset < data.length;) addresses.push(reader.address())
  return {
    type: 'lookupTable',
    info: { deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex, authority, addresses },
  }
}
