/** System program: transfer of lamports and creation of accounts. */
import { SYSTEM_PROGRAM, addressBytes } from '../address.ts'
import type { Instruction } from '../message.ts'
import { join, payer, putU64, u32, u64, writable } from './bytes.ts'

/** Transfers lamports between wallets. `from` must be System-owned without data. */
export function transferLamports(from: string, to: string, lamports: bigint): Instruction {
  const data = new Uint8Array(12)
  data[0] = 2
  putU64(data, 4, lamports)
  return { program: SYSTEM_PROGRAM, accounts: [payer(from), writable(to)], data }
}

export interface NewAccount {
  readonly payer: string
  readonly account: string
  readonly lamports: bigint
  /** Bytes of data. */
  readonly space: number
  readonly owner: string
}

/** Creates an account that has neither lamports nor data yet. The account itself must sign. */
export function createAccountInstruction(request: NewAccount): Instruction {
  const data = join(u32(0), u64(request.lamports), u64(BigInt(request.space)), addressBytes(request.owner))
  return { program: SYSTEM_PROGRAM, accounts: [payer(request.payer), payer(request.account)], data }
}

/** Assigns a System-owned account to a program. */
export function assign(account: string, owner: string): Instruction {
  return { program: SYSTEM_PROGRAM, accounts: [payer(account)], data: join(u32(1), addressBytes(owner)) }
}
