// Distributes the lamports of a closed token account or mint. Rent paid by another organization's fee payer returns
// to that account in full; any excess belongs to the owner.
// A close instruction pays everything to one account, and the token programs offer no split whose amounts are visible
// in the message. If there is an excess, the close therefore pays the signer's wallet, and transfers in the same
// transaction return the rent to its payer and send the excess to a requested destination.
import type { HoldingState } from '../../engine/records/record.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import type { Instruction } from '../../solana/message.ts'
import { owedRent } from '../authorization/rent-return.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import { isPlainWallet } from '../transactions/fee-payer.ts'

export interface RefundRequest {
  /** Address that the caller requests; null: none. */
  readonly requested: string | null
  /** Address that receives the lamports if the rent is owed to nobody else and no destination is requested. */
  readonly feePayer: string
  /** Signs the close instruction. */
  readonly holder: Party
}

export interface Refund {
  /** Destination of the close instruction. */
  readonly destination: string
  /** Instructions after the close instruction. */
  readonly instructions: readonly Instruction[]
}

/**
 * If no excess is known that could be sent to another destination, the compiled message is refused
 * (`authorization/rent-return.ts`).
 */
export function refundOf(state: HoldingState, { requested, feePayer, holder }: RefundRequest): Refund {
  const owed = owedRent(state)
  if (owed === null) return { destination: requested ?? feePayer, instructions: [] }
  const { payer, lamports: rent } = owed
  if (requested === payer) return { destination: payer, instructions: [] }
  const excess = rent === null ? 0n : BigInt(state.context.lamports.balance) - rent
  if (rent === null || excess <= 0n || !canTransfer(holder))
    return { destination: requested ?? payer, instructions: [] }
  const { address } = holder
  const rentTransfer = rent === 0n || address === payer ? [] : [transferLamports(address, payer, rent)]
  const excessTransfer =
    requested === null || requested === address ? [] : [transferLamports(address, requested, excess)]
  return { destination: address, instructions: [...rentTransfer, ...excessTransfer] }
}

/** Only a wallet of the system program can transfer what it receives. */
function canTransfer(holder: Party): boolean {
  const state = holdingOf(holder)
  return state === null || isPlainWallet(state)
}
