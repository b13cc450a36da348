// All the network currency that can be taken out of an account at once.
import type { RecordState } from '../../engine/record.ts'
import { badRequest } from '../refusal.ts'
import type { Budget } from '../transact/budget.ts'
import { feeLamports } from '../transact/fee-payer.ts'

/**
 * Lamports that are neither reserved nor needed for the fee. `payer`: the compute budget when the account pays the fee itself, as the one
 * signer; null when another does.
 *
 * Throws 400 `INSUFFICIENT_BALANCE`.
 */
export function entireBalance(state: RecordState<'account'>, payer: Budget | null, computeUnits: number, pointer: string): bigint {
  const { balance, reserved } = state.context.lamports
  const fee = payer === null ? 0n : feeLamports(1, payer.unitLimit ?? computeUnits, payer.unitPrice)
  const free = BigInt(balance) - BigInt(reserved) - fee
  if (free <= 0n) throw badRequest('INSUFFICIENT_BALANCE', 'the account has no balance available beyond the fee', pointer)
  return free
}
