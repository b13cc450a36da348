/** Associated token program: the one token account of an owner for a mint, at a derived address. */
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../address.ts'
import { associatedTokenAddress } from '../derive.ts'
import type { Instruction } from '../message.ts'
import { payer, readonly, writable } from './bytes.ts'

export interface AssociatedAccount {
  /** Pays the rent of the new account. */
  readonly payer: string
  readonly owner: string
  readonly mint: string
  readonly tokenProgram: string
}

/** Creates the account unless it exists and belongs to this owner and mint. */
export function createAssociatedIdempotent(request: AssociatedAccount): Instruction {
  const { owner, mint, tokenProgram } = request
  const account = associatedTokenAddress(owner, mint, tokenProgram)
  const accounts = [
    payer(request.payer),
    writable(account),
    readonly(owner),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
  ]
  return { program: ASSOCIATED_TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }
}
