// The operations of a compiled message that approval policies can cover. They are derived from the effects of its
// instructions, so that the result does not depend on how the transaction was made.
import type { Effect, EffectOf } from '../../../solana/table/effect.ts'
import type { TransactionOperation } from '../../../../machines/approval-policy.ts'

export interface MessageOperation {
  /** null: a program outside the instruction table, which may do any of them with the signatures it receives. */
  readonly operation: TransactionOperation | null
  /** Address of the mint; null: unknown. */
  readonly mint: string | null
  /** Raw units; null for operations without an amount. */
  readonly amount: bigint | null
  /** As stated by the instruction; null: not stated. */
  readonly decimals: number | null
  /** Accounts whose owners are concerned: authority, mint, and the account whose tokens are burnt. */
  readonly accounts: readonly string[]
  /** Accounts that sign the instruction. */
  readonly signers: readonly string[]
}

/** `isMint`: true if the account is, or may be, the mint of an instrument. */
export function operationsOf(effects: readonly Effect[], isMint: (address: string) => boolean): MessageOperation[] {
  const createdMints = new Set(effects.flatMap((effect) => (effect.kind === 'initializeMint' ? [effect.mint] : [])))
  return effects.flatMap((effect) => operationOf(effect, createdMints, isMint) ?? [])
}

function operationOf(
  effect: Effect,
  createdMints: ReadonlySet<string>,
  isMint: (address: string) => boolean,
): MessageOperation | null {
  const { signers } = effect
  const plain = { amount: null, decimals: null, signers } as const
  switch (effect.kind) {
    case 'mint':
      return { ...withAmount('MINT', effect), accounts: [effect.authority, effect.mint] }
    case 'burn':
      return { ...withAmount('BURN', effect), accounts: [effect.authority, effect.mint, effect.from] }
    case 'authority': {
      // A change of the owner or the close authority of a token account is a debit, which limits and key lists cover. A
      // mint that the same message creates has no holders yet.
      if (effect.which === 'ACCOUNT_OWNER' || effect.which === 'CLOSE_ACCOUNT' || createdMints.has(effect.account))
        return null
      return {
        ...plain,
        operation: 'AUTHORITY_CHANGE',
        mint: effect.account,
        accounts: [effect.authority, effect.account],
      }
    }
    case 'pause':
    case 'resume':
      return { ...plain, operation: 'PAUSE', mint: effect.mint, accounts: [effect.authority, effect.mint] }
    case 'close':
      if (!isMint(effect.account)) return null
      return { ...plain, operation: 'CLOSE', mint: effect.account, accounts: [effect.authority, effect.account] }
    case 'refused':
      return { ...plain, operation: null, mint: null, accounts: signers }
    default:
      return null
  }
}

function withAmount(
  operation: 'MINT' | 'BURN',
  { mint, amount, decimals, signers }: EffectOf<'mint'> | EffectOf<'burn'>,
) {
  return { operation, mint, amount, decimals, signers } as const
}
