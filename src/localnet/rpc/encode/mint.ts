// Reads the members of a mint that are needed to display amounts: decimals, and the current multiplier of an
// interest-bearing or scaled mint.

import type { Bank } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { ByteReader } from '../bytes.ts'
import { extensionsOf } from './extension-list.ts'
import { exactRatio } from './ui-amount.ts'
import type { Multiplier } from './ui-amount.ts'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const MINT_LENGTH = 82
const TOKEN_ACCOUNT_LENGTH = 165
export const MULTISIG_LENGTH = 355
const INTEREST_BEARING = 10
const SCALED_UI_AMOUNT = 25
const SECONDS_PER_YEAR = 31_556_736
const BASIS_POINTS = 10_000

export interface MintDisplay {
  /** The token program that owns the mint. */
  readonly program: string
  readonly decimals: number
  readonly multiplier: Multiplier | null
}

export function isTokenProgram(program: string): boolean {
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM
}

/** A mint is 82 bytes, or longer with the account type 1 after the padding. */
export function isMintData(data: Uint8Array): boolean {
  const sized =
    data.length === MINT_LENGTH ||
    (data.length > TOKEN_ACCOUNT_LENGTH && data.length !== MULTISIG_LENGTH && data[165] === 1)
  return sized && data[45] === 1
}

/** A token account is 165 bytes, or longer with the account type 2; its state byte is not 0. */
export function isTokenAccountData(data: Uint8Array): boolean {
  const sized =
    data.length === TOKEN_ACCOUNT_LENGTH ||
    (data.length > TOKEN_ACCOUNT_LENGTH && data.length !== MULTISIG_LENGTH && data[165] === 2)
  return sized && data[108] !== 0
}

/** The members needed to display amounts of this mint; null: the address is not a mint. */
export function mintDisplay(bank: Bank, mint: Uint8Array): MintDisplay | null {
  const account = bank.account(mint)
  if (account === null) return null
  const program = encodeBase58(account.owner)
  if (!isTokenProgram(program) || !isMintData(account.data)) return null
  return { program, decimals: account.data[44]!, multiplier: multiplierOf(bank, account.data) }
}

/** The multiplier in effect at the newest block time; null for a mint without one. */
function multiplierOf(bank: Bank, data: Uint8Array): Multiplier | null {
  if (data.length <= TOKEN_ACCOUNT_LENGTH) return null
  const now = BigInt(bank.blockTime(bank.slot('confirmed')) ?? Math.floor(Date.now() / 1000))
  for (const { type, value } of extensionsOf(data)) {
    const reader = new ByteReader(value, 32)
    if (type === SCALED_UI_AMOUNT && value.length >= 56) {
      const current = reader.f64()
      const effectiveFrom = reader.i64()
      return exactRatio(now >= effectiveFrom ? reader.f64() : current)
    }
    if (type === INTEREST_BEARING && value.length >= 52) return exactRatio(interest(reader, now))
  }
  return null
}

// Continuous compounding in two spans, as Token-2022 computes it: the average rate up to the last update, the current
// rate since.
function interest(reader: ByteReader, now: bigint): number {
  const start = reader.i64()
  const averageRate = reader.i16()
  const updated = reader.i64()
  const currentRate = reader.i16()
  const span = (from: bigint, to: bigint, rate: number): number =>
    Math.exp((rate * Number(to - from)) / SECONDS_PER_YEAR / BASIS_POINTS)
  return span(start, updated, averageRate) * span(updated, now, currentRate)
}
