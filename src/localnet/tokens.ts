// Reads token accounts and mints of both token programs, as far as balances and indexes need.

import { decodeKey } from './base58.ts'

const keyOf = (address: string): string => decodeKey(address)!.toString('latin1')

const TOKEN_PROGRAM_KEY = keyOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const TOKEN_2022_PROGRAM_KEY = keyOf('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

const ACCOUNT_BYTES = 165
const MULTISIG_BYTES = 355
const TYPE_MINT = 1
const TYPE_ACCOUNT = 2

const isTokenProgram = (ownerKey: string): boolean =>
  ownerKey === TOKEN_2022_PROGRAM_KEY || ownerKey === TOKEN_PROGRAM_KEY

/**
 * Whether an account of program `ownerKey` is an initialized token account: mint at 0, holder at 32, amount (u64) at
 * 64.
 */
export function isTokenAccount(ownerKey: string, data: Uint8Array): boolean {
  if (data.length < ACCOUNT_BYTES || !isTokenProgram(ownerKey) || data[108] === 0) return false
  if (data.length === ACCOUNT_BYTES) return true
  return ownerKey === TOKEN_2022_PROGRAM_KEY && data.length !== MULTISIG_BYTES && data[ACCOUNT_BYTES] === TYPE_ACCOUNT
}

/** Decimals of an initialized mint, or null when the account is not a mint. */
export function mintDecimals(ownerKey: string, data: Uint8Array): number | null {
  if (data.length < 82 || !isTokenProgram(ownerKey) || data[45] !== 1) return null
  if (data.length === 82) return data[44]!
  const extended = ownerKey === TOKEN_2022_PROGRAM_KEY && data.length > ACCOUNT_BYTES && data.length !== MULTISIG_BYTES
  return extended && data[ACCOUNT_BYTES] === TYPE_MINT ? data[44]! : null
}
