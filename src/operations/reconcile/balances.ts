// Compares the balances of a record with those of its account on chain.
import { decodeMint } from '../../solana/mint-layout.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Asset } from '../../../machines/protocol.ts'
import type { ChainAccount } from '../context/platform.ts'
import { subjectExists, decodedTokenAccount, type ObservedEvent } from './differences.ts'
import type { Amounts } from './open-effects.ts'

/**
 * Balances that differ from the record's, as a fact for the record.
 *
 * @param account null: the account does not exist, so its balances are zero
 * @param ahead effects that the chain shows and the record does not count yet
 */
export function balanceFacts(
  state: HoldingState,
  account: ChainAccount | null,
  ahead: Amounts = {},
): readonly ObservedEvent[] {
  const observed: Partial<Record<Asset, string>> = {}
  for (const [asset, shown] of Object.entries(shownBalances(state, account)) as [Asset, bigint][]) {
    const balance = (shown - (ahead[asset] ?? 0n)).toString()
    if (balance !== bookedBalance(state, asset)) observed[asset] = balance
  }
  return Object.keys(observed).length === 0 ? [] : [{ type: 'chain.observed', ...observed }]
}

/** Every asset that a record of this kind counts. */
export function shownBalances(state: HoldingState, account: ChainAccount | null): Amounts {
  const lamports = account?.lamports ?? 0n
  const exists = account !== null && subjectExists(state, account)
  if (state.kind === 'position') return { lamports, tokens: exists ? decodedTokenAccount(account).amount : 0n }
  if (state.kind === 'instrument')
    return { lamports, supply: exists ? decodeMint(account.data, account.owner).supply : 0n }
  return { lamports }
}

/** undefined: the record does not count this asset. */
export function bookedBalance({ context }: HoldingState, asset: Asset): string | undefined {
  const books: Partial<Record<Asset, { readonly balance: string }>> = context
  return books[asset]?.balance
}
