// What is to happen on chain, before it is instructions: said once, to be built by one and checked by another.
import type { AccountRef } from './message.ts'

interface OnMint {
  /** Token program. */
  readonly program: string
  readonly mint: string
}

/** One thing that happens on chain. Amounts are raw units; accounts are addresses. */
export type Step =
  | ({ readonly kind: 'open'; readonly payer: string; readonly owner: string; readonly account: string } & OnMint)
  | ({
      readonly kind: 'mint'
      readonly to: string
      readonly amount: bigint
      readonly decimals: number
      readonly authority: string
    } & OnMint)
  | ({
      readonly kind: 'transfer'
      readonly from: string
      readonly to: string
      readonly amount: bigint
      readonly decimals: number
      readonly authority: string
      /** What a transfer hook is handed. */
      readonly hookAccounts: readonly AccountRef[]
    } & OnMint)
  | ({ readonly kind: 'freeze' | 'thaw'; readonly account: string; readonly authority: string } & OnMint)
  | { readonly kind: 'close'; readonly program: string; readonly account: string; readonly destination: string; readonly authority: string }
  | { readonly kind: 'lamports'; readonly from: string; readonly to: string; readonly lamports: bigint }
