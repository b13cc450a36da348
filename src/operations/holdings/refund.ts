// Distributes the lamports of a closed token account or mint. Rent paid by another organization's fee payer returns
// to that account to the lamport; any excess belongs to the owner.
// A close instruction pays everything to one account, and the token programs offer no split whose amounts are visible
// in the message. If there is an excess, the close therefore pays the signer's wallet, and transfers in the same
// transaction return the rent to its payer and send the excess to a requested destination.
import type { HoldingState } from '../../engine/records/record.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import type { Instruction } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import { isPlainWallet } from '../transactions/fee-payer.ts'

export interface RefundRequest {
  /** Address that the caller requests; null: none. */
  readonly asked: string | null
  /** Address that receives the lamports if the rent is owed to nobody else and none is requested. */
  readonly feePayer: string
  /** Signs the close instruction. */
  readonly holder: Party
  readonly pointer: string
}

export interface Refund {
  /** Destination of the close instruction. */
  readonly destination: string
  /** Instructions after the close instruction. */
  readonly instructions: readonly Instruction[]
}

/** Throws 400 `RENT_OWED` if another destination is requested, but no excess is known that could be sent there. */
export function refundOf({ context }: HoldingState, { asked, feePayer, holder, pointer }: RefundRequest): Refund {
  const { rentPayer, rentPaid } = context
  if (rentPayer === null) return { destination: asked ?? feePayer, instructions: [] }
  const payer = rentPayer.address
  if (asked === payer) return { destination: payer, instructions: [] }
  // Records of earlier releases do not contain the amount paid: everything may be rent.
  const rent = rentPaid?.by === payer ? BigInt(rentPaid.lamports) : null
  const excess = rent === null ? 0n : BigInt(context.lamports.balance) - rent
  if (rent === null || excess <= 0n || !mayPassOn(holder)) {
    if (asked === null) return { destination: payer, instructions: [] }
    throw badRequest('RENT_OWED', `the rent was paid by ${payer} and must be refunded to it`, pointer)
  }
  const { address } = holder
  const back = rent === 0n || address === payer ? [] : [transferLamports(address, payer, rent)]
  const on = asked === null || asked === address ? [] : [transferLamports(address, asked, excess)]
  return { destination: address, instructions: [...back, ...on] }
}

/** Only a wallet of the system program can transfer what it receives. */
function mayPassOn(holder: Party): boolean {
  const state = holdingOf(holder)
  return state === null || isPlainWallet(state)
}
