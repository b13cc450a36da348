/** System program: durable nonce accounts. They have 80 bytes of data, which `createAccount` allocates first. */
import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR, SYSTEM_PROGRAM, addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { join, readonly, signer, u32, u64, writable } from './bytes.ts'

export const NONCE_SPACE = 80

/** Advances a nonce. As the first instruction it makes the message a durable-nonce message. */
export function advanceNonce(nonce: string, authority: string): Instruction {
  const accounts = [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), signer(authority)]
  return { program: SYSTEM_PROGRAM, accounts, data: u32(4) }
}

/**
 * Takes lamports out of a nonce account: all of them, which ends the account, or so many that its rent remains. The
 * runtime refuses all of them in the block that has set the value.
 */
export function withdrawNonce(nonce: string, authority: string, to: string, lamports: bigint): Instruction {
  const accounts = [
    writable(nonce),
    writable(to),
    readonly(RECENT_BLOCKHASHES_SYSVAR),
    readonly(RENT_SYSVAR),
    signer(authority),
  ]
  return { program: SYSTEM_PROGRAM, accounts, data: join(u32(5), u64(lamports)) }
}

/** Sets the first value and the authority of an account created in the same transaction. */
export function initializeNonce(nonce: string, authority: string): Instruction {
  const accounts = [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), readonly(RENT_SYSVAR)]
  return { program: SYSTEM_PROGRAM, accounts, data: join(u32(6), addressBytes(authority)) }
}
