// What the loan operations want of a lending protocol. Everything that a change of a loan does on chain is decided here as a list of steps;
// a protocol says in which instructions, or in which transactions of its own making, and what it says is checked against the steps again
// from the compiled message before any key is used.
import type { Instruction } from '../../chain/message.ts'
import type { Step } from '../../chain/step.ts'

export interface LendingProtocol {
  /** `defiProtocol` of the interface. */
  readonly name: string
  /** All steps, in their order, in one transaction. */
  instructions(steps: readonly Step[]): readonly Instruction[]
}
