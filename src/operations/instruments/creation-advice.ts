// Extends the refusal of a creation that is too large with the alternatives, and their resulting
// sizes.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { compileMessage } from '../../solana/compile.ts'
import { computeUnitLimit } from '../../solana/instructions/compute-budget.ts'
import { assign, createAccountInstruction } from '../../solana/instructions/system.ts'
import { transactionSize } from '../../solana/message.ts'
import { Refusal } from '../../contract/refusal.ts'
import { mintInstructions } from './mint-instructions.ts'
import type { MintPlan } from './mint-plan.ts'

export interface Creation {
  readonly mint: string
  readonly feePayer: string
  readonly plan: MintPlan
  /** The mint account is already allocated. */
  readonly existing: boolean
}

/** A `TRANSACTION_TOO_LARGE` refusal with advice; any other error unchanged. */
export function withCreationAdvice(error: unknown, creation: () => Creation): unknown {
  if (!(error instanceof Refusal)) return error
  const [problem] = error.problems
  if (problem?.code !== 'TRANSACTION_TOO_LARGE') return error
  const { mint, feePayer, plan, existing } = creation()
  const { allocationBytes, finalBytes } = plan.sizes
  const custom = (plan.metadata?.additional.length ?? 0) > 0
  const size = (made: boolean, without: boolean): number =>
    creationBytes(mint, feePayer, without ? withoutCustom(plan) : plan, made)
  const ways = [
    ...(existing
      ? []
      : [
          `Make the mint account first, with Create Account and a dataLength of ${allocationBytes}, and name it as existingMintAccount: ${size(true, false)} bytes`,
        ]),
    ...(custom
      ? [`Leave simpleCustomMetadata out and add it with Update Financial Instrument: ${size(existing, true)} bytes`]
      : []),
    ...(custom && !existing ? [`With both: ${size(true, true)} bytes`] : []),
  ]
  const sizes = `The mint takes ${allocationBytes} bytes, ${finalBytes} with its metadata`
  return new Refusal(error.status, [{ ...problem, message: [`${problem.message}. ${sizes}`, ...ways].join('. ') }])
}

function withoutCustom(plan: MintPlan): MintPlan {
  return plan.metadata === null ? plan : { ...plan, metadata: { ...plan.metadata, additional: [] } }
}

function creationBytes(mint: string, payer: string, plan: MintPlan, existing: boolean): number {
  const opening = existing
    ? assign(mint, plan.program)
    : createAccountInstruction({
        payer,
        account: mint,
        lamports: 1n,
        space: plan.sizes.allocationBytes,
        owner: plan.program,
      })
  const instructions = [computeUnitLimit(1), opening, ...mintInstructions(mint, plan)]
  return transactionSize(compileMessage({ feePayer: payer, instructions, blockhash: SYSTEM_PROGRAM, version: 'V0' }))
}
