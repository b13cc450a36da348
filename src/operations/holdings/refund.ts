// Where the lamports of a closed token account or mint go. Rent that another organization's fee payer paid returns there, to the lamport; what
// lies above it is the owner's. A closing gives everything to one account, and both token programs allow no other way that the message
// tells in full: so it gives to the wallet of its signer, and transfers of the same transaction carry the rent back to its payer and
// the rest to a destination that is named.
import type { HoldingState } from '../../engine/records/record.ts'
import { transferLamports } from '../../solana/instructions/system.ts'
import type { Instruction } from '../../solana/message.ts'
import { badRequest } from '../../contract/refusal.ts'
import { holdingOf, type Party } from '../lookup/party.ts'
import { isPlainWallet } from '../transactions/fee-payer.ts'

export interface RefundRequest {
  /** Address that the caller names; null: none. */
  readonly asked: string | null
  /** Address, where nobody else is owed the rent. */
  readonly feePayer: string
  /** Signs the closing. */
  readonly holder: Party
  readonly pointer: string
}

export interface Refund {
  /** Of the closing. */
  readonly destination: string
  /** After the closing. */
  readonly instructions: readonly Instruction[]
}

/** Throws 400 `RENT_OWED` where another destination is named for rent alone. */
export function refundOf({ context }: HoldingState, { asked, feePayer, holder, pointer }: RefundRequest): Refund {
  const { rentPayer, rentPaid } = context
  if (rentPayer === null) return { destination: asked ?? feePayer, instructions: [] }
  const payer = rentPayer.address
  if (asked === payer) return { destination: payer, instructions: [] }
  // An older record does not say how much was paid: all of it may be rent.
  const rent = rentPaid?.by === payer ? BigInt(rentPaid.lamports) : null
  const excess = rent === null ? 0n : BigInt(context.lamports.balance) - rent
  if (rent === null || excess <= 0n || !mayPassOn(holder)) {
    if (asked === null) return { destination: payer, instructions: [] }
    throw badRequest('RENT_OWED', `the rent was paid by ${payer} and returns there`, pointer)
  }
  const { address } = holder
  const back = rent === 0n || address === payer ? [] : [transferLamports(address, payer, rent)]
  const on = asked === null || asked === address ? [] : [transferLamports(address, asked, excess)]
  return { destination: address, instructions: [...back, ...on] }
}

/** Only a wallet of the System program can transfer what it receives. */
function mayPassOn(holder: Party): boolean {
  const state = holdingOf(holder)
  return state === null || isPlainWallet(state)
}
