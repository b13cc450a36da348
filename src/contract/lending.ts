// The interface between loan operations and lending protocols. The service decides every change of a loan as a list of
// steps. A protocol turns the steps into instructions, or into transactions that it builds itself. The service checks
// the compiled message against the steps before it uses any key.
import type { Instruction } from '../solana/message.ts'
import type { Step } from '../solana/step.ts'

export interface LendingProtocol {
  /** `defiProtocol` of the interface. */
  readonly name: string
  /** All steps, in order, for one transaction. */
  instructions(steps: readonly Step[]): readonly Instruction[]
}

export type LoanOperation = 'CREATE' | 'SWAP' | 'REPAY' | 'CLOSE' | 'REFINANCE' | 'LIQUIDATE'

/** An order to a provider that builds the transactions of a change itself. */
export interface ProviderOrder {
  readonly feePayer: string
  /** All steps, in order. The provider may split them into several transactions, and must not change them otherwise. */
  readonly steps: readonly Step[]
}

/** Identifies an order. */
export interface OrderHead {
  /** A UUID: the same if the same order is placed again, and different for every other order. */
  readonly id: string
  readonly cluster: string
  readonly operation: LoanOperation
}

/** A protocol whose own service builds its transactions and signs them with its own keys. */
export interface LendingProvider {
  /** `defiProtocol` of the interface. */
  readonly name: string
  /** The operations that the provider supports. */
  readonly operations: ReadonlySet<LoanOperation>
  /** Programs outside the instruction table that its messages may call. */
  readonly programs: ReadonlySet<string>
  /**
   * Wire bytes of transactions with the provider's signatures and without ours, in the order in which they must land.
   * They must not be trusted before `checkProvided` has checked them.
   */
  transactions(order: ProviderOrder, head: OrderHead): Promise<ProviderReply>
}

/**
 * `refused`: the provider declines the order; otherwise the request failed. `reason` is a text of this service and
 * never quotes the provider.
 */
export type ProviderReply =
  | { readonly ok: true; readonly transactions: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: string; readonly refused: boolean }

/** A lending protocol of either kind. */
export type Lending = LendingProtocol | LendingProvider

export function isBuiltIn(lending: Lending): lending is LendingProtocol {
  return 'instructions' in lending
}
