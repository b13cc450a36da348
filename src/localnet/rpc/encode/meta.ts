// The `meta` of a transaction: outcome, fee, balances, logs, inner instructions.

import type { InnerInstructionSet, LedgerTransaction, TokenBalance } from '../../contract.ts'
import { encodeBase58 } from '../../base58.ts'
import { base64 } from '../bytes.ts'
import { parsedInstruction } from './parsed-instruction.ts'
import { uiTokenAmount } from './ui-amount.ts'

/** The full `meta`. With `parsed`, inner instructions are parsed and loaded addresses left out, as a real node does. */
export function transactionMeta(transaction: LedgerTransaction, parsed: boolean): Record<string, unknown> {
  return {
    computeUnitsConsumed: transaction.computeUnits,
    ...outcomeMeta(transaction),
    innerInstructions: transaction.inner.map((set) =>
      parsed ? parsedInner(set, transaction.accountKeys) : plainInner(set),
    ),
    loadedAddresses: parsed
      ? undefined
      : { readonly: transaction.loadedAddresses.readonly, writable: transaction.loadedAddresses.writable },
    logMessages: transaction.logs,
    returnData: returnDataMember(transaction.returnData) ?? undefined,
    rewards: [],
  }
}

/** The part of `meta` that the `accounts` detail of a block also contains. */
export function outcomeMeta(transaction: LedgerTransaction): Record<string, unknown> {
  return {
    err: transaction.error,
    fee: transaction.feeLamports,
    postBalances: transaction.postBalances,
    postTokenBalances: transaction.postTokenBalances.map(tokenBalance),
    preBalances: transaction.preBalances,
    preTokenBalances: transaction.preTokenBalances.map(tokenBalance),
    status: transaction.error === null ? { Ok: null } : { Err: transaction.error },
  }
}

/** `{ programId, data: [base64, "base64"] }`, or null when the program returned nothing. */
export function returnDataMember(returnData: LedgerTransaction['returnData']): unknown {
  return returnData === null ? null : { data: [base64(returnData.data), 'base64'], programId: returnData.programId }
}

function tokenBalance(balance: TokenBalance): unknown {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.programId,
    uiTokenAmount: uiTokenAmount(BigInt(balance.amount), balance.decimals, null),
  }
}

function plainInner(set: InnerInstructionSet): unknown {
  return {
    index: set.index,
    instructions: set.instructions.map((instruction) => ({
      accounts: instruction.accounts,
      data: encodeBase58(instruction.data),
      programIdIndex: instruction.programIdIndex,
      stackHeight: instruction.stackHeight,
    })),
  }
}

/** Inner instructions with addresses in place of indexes, parsed where known. */
export function parsedInner(set: InnerInstructionSet, keys: readonly string[]): unknown {
  return {
    index: set.index,
    instructions: set.instructions.map((instruction) =>
      parsedInstruction(
        keys[instruction.programIdIndex] ?? '',
        instruction.accounts.map((index) => keys[index] ?? ''),
        instruction.data,
        instruction.stackHeight,
      ),
    ),
  }
}
