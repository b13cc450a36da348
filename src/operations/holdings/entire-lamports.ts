// The whole network currency that can be taken out of an account in one transaction.
import type { RecordState } from '../../engine/records/record.ts'
import { Shortage } from '../transactions/funds.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'
import { freeNonce, isDurable } from '../transactions/nonces/free.ts'
import type { Context } from '../context/platform.ts'
import type { Budget } from '../transactions/budget.ts'
import { feeLamports } from '../../solana/fee.ts'
import { ADVANCE_UNITS } from '../transactions/lifetime.ts'

/** Lamports that are neither reserved nor needed for `fee` (lamports). Throws 400 `INSUFFICIENT_BALANCE`. */
export function entireLamports(
  state: RecordState<'account'> | RecordState<'nonce'>,
  fee: bigint,
  pointer: string,
): bigint {
  const { balance, reserved } = state.context.lamports
  const free = BigInt(balance) - BigInt(reserved) - fee
  if (free <= 0n) throw new Shortage(state, 'the account has no balance available beyond the fee', pointer)
  return free
}

/**
 * The fee in lamports of a transaction that only `payer` signs; under a durable nonce its authority signs too. Call
 * it in the unit of work of the transaction, so that the same nonce is selected.
 */
export function ownFee(
  context: Context,
  config: ChainTransactionConfig | undefined,
  payer: string,
  { budget, computeUnits }: { readonly budget: Budget; readonly computeUnits: number },
): bigint {
  const nonce = isDurable(config) ? freeNonce(context).nonce : null
  const signatures = nonce === null || nonce.authority === payer ? 1 : 2
  return feeLamports(
    signatures,
    budget.unitLimit ?? computeUnits + (nonce === null ? 0 : ADVANCE_UNITS),
    budget.unitPrice,
  )
}
