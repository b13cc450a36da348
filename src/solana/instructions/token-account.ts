/**
 * Token and Token-2022: creating, closing, freezing and reassigning mints and token accounts. `createAccount` provides
 * space and rent.
 */
import { addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { join, readonly, signer, taggedAddress, writable } from './bytes.ts'

/** The authorities that `setAuthority` can replace, with their numbers on chain. */
export const AUTHORITY_TYPES = {
  MINT_TOKENS: 0,
  FREEZE_ACCOUNT: 1,
  ACCOUNT_OWNER: 2,
  CLOSE_ACCOUNT: 3,
  TRANSFER_FEE_CONFIG: 4,
  WITHHELD_WITHDRAW: 5,
  CLOSE_MINT: 6,
  INTEREST_RATE: 7,
  PERMANENT_DELEGATE: 8,
  CONFIDENTIAL_TRANSFER_MINT: 9,
  TRANSFER_HOOK_PROGRAM_ID: 10,
  CONFIDENTIAL_TRANSFER_FEE_CONFIG: 11,
  METADATA_POINTER: 12,
  GROUP_POINTER: 13,
  GROUP_MEMBER_POINTER: 14,
  SCALED_UI_AMOUNT: 15,
  PAUSE: 16,
} as const

export type AuthorityType = keyof typeof AUTHORITY_TYPES

export interface NewMint {
  readonly program: string
  readonly mint: string
  readonly decimals: number
  readonly mintAuthority: string
  readonly freezeAuthority: string | null
}

/** Must follow every extension initializer. */
export function initializeMint(request: NewMint): Instruction {
  const data = join(
    Uint8Array.of(20, request.decimals),
    addressBytes(request.mintAuthority),
    taggedAddress(request.freezeAuthority),
  )
  return { program: request.program, accounts: [writable(request.mint)], data }
}

/** Makes an allocated account a token account of `mint` owned by `owner`. */
export function initializeAccount(program: string, account: string, mint: string, owner: string): Instruction {
  return { program, accounts: [writable(account), readonly(mint)], data: join(Uint8Array.of(18), addressBytes(owner)) }
}

/** Closes an empty token account, or a closable mint with a supply of 0; all its lamports go to `destination`. */
export function closeTokenAccount(request: {
  readonly program: string
  readonly account: string
  readonly authority: string
  readonly destination: string
}): Instruction {
  const accounts = [writable(request.account), writable(request.destination), signer(request.authority)]
  return { program: request.program, accounts, data: Uint8Array.of(9) }
}

interface OnAccount {
  readonly program: string
  readonly account: string
  readonly mint: string
  readonly authority: string
}

function onAccount(discriminator: number, request: OnAccount): Instruction {
  const accounts = [writable(request.account), readonly(request.mint), signer(request.authority)]
  return { program: request.program, accounts, data: Uint8Array.of(discriminator) }
}

/** `authority` is the mint's freeze authority. Fails on a frozen account. */
export function freezeTokenAccount(request: OnAccount): Instruction {
  return onAccount(10, request)
}

/** `authority` is the mint's freeze authority. Fails on an account that is not frozen. */
export function thawTokenAccount(request: OnAccount): Instruction {
  return onAccount(11, request)
}

/** Replaces an authority of a mint or token account; null removes it permanently. */
export function setAuthority(request: {
  readonly authority: string
  readonly program: string
  readonly account: string
  readonly which: AuthorityType
  readonly next: string | null
}): Instruction {
  const data = join(Uint8Array.of(6, AUTHORITY_TYPES[request.which]), taggedAddress(request.next))
  return { program: request.program, accounts: [writable(request.account), signer(request.authority)], data }
}
