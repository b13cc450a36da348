// Steps: the intended effects of a transaction on chain, before they become instructions. One party builds the
// instructions from them, another checks the instructions against them.
import type { AccountMeta } from './message.ts'

interface OnMint {
  /** Token program. */
  readonly program: string
  readonly mint: string
}

/** One effect on chain. Amounts are raw units; accounts are addresses. */
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
      /** Extra accounts for the transfer hook. */
      readonly hookAccounts: readonly AccountMeta[]
    } & OnMint)
  | ({ readonly kind: 'freeze' | 'thaw'; readonly account: string; readonly authority: string } & OnMint)
  | {
      readonly kind: 'close'
      readonly program: string
      readonly account: string
      readonly destination: string
      readonly authority: string
    }
  | { readonly kind: 'lamports'; readonly from: string; readonly to: string; readonly lamports: bigint }
