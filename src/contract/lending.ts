// What the loan operations want of a lending protocol. Everything that a change of a loan does on chain is decided here as a list of steps;
// a protocol says in which instructions, or in which transactions of its own making, and what it says is checked against the steps again
// from the compiled message before any key is used.
import type { Instruction } from '../solana/message.ts'
import type { Step } from '../solana/step.ts'

export interface LendingProtocol {
  /** `defiProtocol` of the interface. */
  readonly name: string
  /** All steps, in their order, in one transaction. */
  instructions(steps: readonly Step[]): readonly Instruction[]
}

export type LoanOperation = 'CREATE' | 'SWAP' | 'REPAY' | 'CLOSE' | 'REFINANCE' | 'LIQUIDATE'

/** What is asked of a provider that makes the transactions of a change itself. */
export interface ProviderOrder {
  readonly feePayer: string
  /** All that is to happen, in its order: the provider may part it into several transactions, and not otherwise change it. */
  readonly steps: readonly Step[]
}

/** Which order it is. */
export interface OrderHead {
  /** The same when the same order is placed again, and of no other order: a UUID. */
  readonly id: string
  readonly cluster: string
  readonly operation: LoanOperation
}

/** A protocol whose transactions only its own service can make, and which it signs with keys of its own. */
export interface LendingProvider {
  /** `defiProtocol` of the interface. */
  readonly name: string
  /** What it can be asked for. */
  readonly operations: ReadonlySet<LoanOperation>
  /** Programs beside the instruction table that its messages may call. */
  readonly programs: ReadonlySet<string>
  /**
   * Wire bytes of transactions that bear the provider's signatures and lack ours, in the order in which they are to land. Nothing of them
   * is to be believed before `checkProvided` has seen it.
   */
  transactions(order: ProviderOrder, head: OrderHead): Promise<Given>
}

/** `refused`: the provider does not want to; otherwise it cannot be asked. `reason` in words of ours: nothing that the provider said. */
export type Given =
  | { readonly ok: true; readonly transactions: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: string; readonly refused: boolean }

/** Whoever makes the transactions of a change. */
export type Lending = LendingProtocol | LendingProvider

export function isBuiltIn(lending: Lending): lending is LendingProtocol {
  return 'instructions' in lending
}
