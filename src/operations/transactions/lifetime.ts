// How long a message may land: until its blockhash has expired, or until the value of its nonce is used.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { advanceNonce } from '../../solana/instructions/nonce.ts'
import type { Instruction } from '../../solana/message.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Blockhash } from '../context/platform.ts'

export interface Lifetime {
  /** The blockhash, or the nonce's value. */
  readonly blockhash: string
  /**
   * Slot of the blockhash; for a nonce, the latest finalized slot at which the chain is known to have held this
   * value.
   */
  readonly slot: number
  /** null under a nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce: { readonly account: AccountRef; readonly authority: string } | null
}

/** Upper bound of the compute units of a nonce advance. */
export const ADVANCE_UNITS = 1_000

/** Placeholder for simulation and estimates only. */
export const ANY_BLOCKHASH: Lifetime = { blockhash: SYSTEM_PROGRAM, slot: 0, lastValidBlockHeight: 0, nonce: null }

/** Blocks that a message must still have ahead of it when it is signed: two thirds of a lifetime. */
const YOUNG_BLOCKS = 100

/** @param height null: unknown */
export function isYoung({ lastValidBlockHeight }: Blockhash, height: number | null): boolean {
  return height !== null && lastValidBlockHeight - height >= YOUNG_BLOCKS
}

export function underBlockhash(blockhash: Blockhash): Lifetime {
  return { nonce: null, ...blockhash }
}

/** Instructions that have to come first in the message. */
export function openingOf({ nonce }: Lifetime): readonly Instruction[] {
  return nonce === null ? [] : [advanceNonce(nonce.account.address, nonce.authority)]
}
