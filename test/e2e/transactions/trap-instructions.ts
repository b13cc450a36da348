// Instructions with which an outside party opens a token account and transfers it to an owner who does not have to
// sign. Built with the public libraries, independent of the service.
import { AuthorityType, createInitializeAccount3Instruction, createSetAuthorityInstruction } from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'

export const TOKEN_ACCOUNT_BYTES = 165

export interface OpenedAccount {
  readonly payer: PublicKey
  readonly account: PublicKey
  readonly mint: string
  readonly program: PublicKey
  readonly owner: PublicKey
  readonly space: number
  readonly lamports: bigint
}

/** Signed by the payer and the account. */
export function opening({
  payer,
  account,
  mint,
  program,
  owner,
  space,
  lamports,
}: OpenedAccount): TransactionInstruction[] {
  const place = { fromPubkey: payer, newAccountPubkey: account, space, lamports: Number(lamports), programId: program }
  return [
    SystemProgram.createAccount(place),
    createInitializeAccount3Instruction(account, new PublicKey(mint), owner, program),
  ]
}

/**
 * Gives an account of `by` to somebody else, while `by` can still close it. The other order would take the signature of
 * the new owner.
 */
export function handOver(
  account: PublicKey,
  by: PublicKey,
  owner: PublicKey,
  program: PublicKey,
): TransactionInstruction[] {
  return [
    createSetAuthorityInstruction(account, by, AuthorityType.CloseAccount, by, [], program),
    createSetAuthorityInstruction(account, by, AuthorityType.AccountOwner, owner, [], program),
  ]
}
