// How long a message may land: until its blockhash has passed, or until somebody uses up the value of its nonce.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { advanceNonce } from '../../solana/instructions/nonce.ts'
import type { Instruction } from '../../solana/message.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Blockhash } from '../context/platform.ts'

export interface Lifetime {
  /** The blockhash, or the nonce's value. */
  readonly blockhash: string
  /** Slot it was taken at; of a nonce: the latest at which the chain is known to have held this value, finalized. */
  readonly slot: number
  /** null with a nonce. */
  readonly lastValidBlockHeight: number | null
  readonly nonce: { readonly account: AccountRef; readonly authority: string } | null
}

/** What moving a nonce on may take, in compute units. */
export const ADVANCE_UNITS = 1_000

/** For simulating and estimating only. */
export const ANY_BLOCKHASH: Lifetime = { blockhash: SYSTEM_PROGRAM, slot: 0, lastValidBlockHeight: 0, nonce: null }

export function underBlockhash(blockhash: Blockhash): Lifetime {
  return { ...blockhash, nonce: null }
}

/** What has to stand first in the message. */
export function openingOf({ nonce }: Lifetime): readonly Instruction[] {
  return nonce === null ? [] : [advanceNonce(nonce.account.address, nonce.authority)]
}
