/** System program: durable nonce accounts. They hold 80 bytes; an account is created by `createAccount` with that space first. */
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR, SYSTEM_PROGRAM, addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { join, readonly, signer, u32, u64, writable } from './bytes.ts'

export const NONCE_SPACE = 80

/** Moves a nonce on. As the first instruction it makes the message a durable-nonce one. */
export function advanceNonce(nonce: string, authority: string): Instruction {
  const accounts = [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), signer(authority)]
  return { program: SYSTEM_PROGRAM, accounts, data: u32(4) }
}

/** Sets the first value and the authority of an account made in the same transaction. */
export function initializeNonce(nonce: string, authority: string): Instruction {
  const accounts = [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), readonly(RENT_SYSVAR)]
  return { program: SYSTEM_PROGRAM, accounts, data: join(u32(6), addressBytes(authority)) }
}

/** Takes lamports out; the whole balance closes the account, which needs a nonce value older than the newest blockhash. */
export function withdrawNonce(nonce: string, authority: string, to: string, lamports: bigint): Instruction {
  const accounts = [writable(nonce), writable(to), readonly(RECENT_BLOCKHASHES_SYSVAR), readonly(RENT_SYSVAR), signer(authority)]
  return { program: SYSTEM_PROGRAM, accounts, data: join(u32(5), u64(lamports)) }
}

/** Names another authority. */
export function authorizeNonce(nonce: string, authority: string, newAuthority: string): Instruction {
  return { program: SYSTEM_PROGRAM, accounts: [writable(nonce), signer(authority)], data: join(u32(7), addressBytes(newAuthority)) }
}
