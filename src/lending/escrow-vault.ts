// ESCROW_VAULT, the built-in lending protocol: every change of a loan is one transaction of standard token
// instructions. Escrow and vault are accounts of this service; assets and debts are recorded in the loan.
import { createAssociatedIdempotent } from '../solana/instructions/associated-token.ts'
import { transferLamports } from '../solana/instructions/system.ts'
import { closeTokenAccount, freezeTokenAccount, thawTokenAccount } from '../solana/instructions/token-account.ts'
import { mintToChecked, transferChecked } from '../solana/instructions/token.ts'
import type { Instruction } from '../solana/message.ts'
import type { Step } from '../solana/step.ts'

const ESCROW_VAULT = 'ESCROW_VAULT'

/** Builds one instruction per step, in order. */
export const escrowVault = {
  name: ESCROW_VAULT,
  instructions: (steps: readonly Step[]): readonly Instruction[] => steps.map(instructionOf),
} as const

function instructionOf(step: Step): Instruction {
  switch (step.kind) {
    case 'open':
      return createAssociatedIdempotent({
        payer: step.payer,
        owner: step.owner,
        mint: step.mint,
        tokenProgram: step.program,
      })
    case 'mint':
      return mintToChecked({ ...step, destination: step.to })
    case 'transfer':
      return transferChecked({ ...step, source: step.from, destination: step.to })
    case 'freeze':
      return freezeTokenAccount(step)
    case 'thaw':
      return thawTokenAccount(step)
    case 'close':
      return closeTokenAccount(step)
    case 'lamports':
      return transferLamports(step.from, step.to, step.lamports)
  }
}
