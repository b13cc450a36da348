// The fee that the bank takes for a message, by the rules of `src/solana/fee.ts`.

import { COMPUTE_BUDGET_PROGRAM } from '../solana/address.ts'
import { BUILTIN_PROGRAMS, feeLamports, paidUnits, PRECOMPILE_PROGRAMS } from '../solana/fee.ts'
import { decodeKey } from './base58.ts'
import type { WireMessage } from './wire.ts'

const key = (address: string): string => decodeKey(address)!.toString('latin1')

const COMPUTE_BUDGET = key(COMPUTE_BUDGET_PROGRAM)
const PRECOMPILES: ReadonlySet<string> = new Set(PRECOMPILE_PROGRAMS.map(key))
const BUILTINS: ReadonlySet<string> = new Set(BUILTIN_PROGRAMS.map(key))

export interface Fee {
  readonly lamports: bigint
  /** Micro-lamports per compute unit. */
  readonly price: bigint
}

/** Fee of a sane message. Malformed compute budget instructions are ignored: the engine rejects them. */
export function feeOf(message: WireMessage): Fee {
  let signatures = message.requiredSignatures
  let limit: number | null = null
  let price = 0n
  const builtin: boolean[] = []
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.keys[programIdIndex]!
    builtin.push(BUILTINS.has(program))
    if (program === COMPUTE_BUDGET) {
      const view = Buffer.from(data.buffer, data.byteOffset, data.length)
      if (data[0] === 2 && data.length >= 5) limit = view.readUInt32LE(1)
      else if (data[0] === 3 && data.length >= 9) price = view.readBigUInt64LE(1)
    } else if (PRECOMPILES.has(program)) {
      signatures += data[0] ?? 0
    }
  }
  return { lamports: feeLamports(signatures, paidUnits(limit, builtin), price), price }
}
