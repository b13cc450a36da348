/** Compute budget. The fee is 5000 lamports per signature plus ceil(units * microLamports / 1e6). */
import { COMPUTE_BUDGET_PROGRAM } from '../address.ts'
import type { Instruction } from '../message.ts'
import { putU32, putU64 } from './bytes.ts'

export const MAX_COMPUTE_UNITS = 1_400_000

/** Bytes of accounts and programs that a transaction may load if it sets no limit; also the most it can ask for. */
export const DEFAULT_LOADED_BYTES = 64 * 1024 * 1024

/** @param units 0 to 1 400 000 */
export function computeUnitLimit(units: number): Instruction {
  if (!Number.isInteger(units) || units < 0 || units > MAX_COMPUTE_UNITS)
    throw new RangeError('not a compute unit limit')
  const data = new Uint8Array(5)
  data[0] = 2
  putU32(data, 1, units)
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}

/** @param microLamports price of one compute unit in millionths of a lamport */
export function computeUnitPrice(microLamports: bigint): Instruction {
  const data = new Uint8Array(9)
  data[0] = 3
  putU64(data, 1, microLamports)
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}

/** Compute units of the instruction itself, like of each of this program. */
export const LOADED_BYTES_UNITS = 150

/** @param bytes of accounts and programs that the transaction may load; 0 is refused by the chain */
export function loadedBytesLimit(bytes: number): Instruction {
  const data = new Uint8Array(5)
  data[0] = 4
  putU32(data, 1, bytes)
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}
