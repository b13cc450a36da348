/** Memo: UTF-8 text in the transaction, optionally attested by signers. */
import { MEMO_PROGRAM } from '../address.ts'
import type { Instruction } from '../message.ts'
import { signer } from './bytes.ts'

export function memo(text: string, signers: readonly string[] = []): Instruction {
  return { program: MEMO_PROGRAM, accounts: signers.map(signer), data: Buffer.from(text) }
}
