// Fees of a message: 5000 lamports per signature (precompile signatures count) plus the priority fee, ceil(compute unit
// limit x price / 1,000,000), the price in micro-lamports per compute unit.

import { decodeKey } from './base58.ts'
import type { WireMessage } from './wire.ts'

const key = (address: string): string => decodeKey(address)!.toString('latin1')

const COMPUTE_BUDGET = key('ComputeBudget111111111111111111111111111111')
const PRECOMPILES: ReadonlySet<string> = new Set([
  key('Ed25519SigVerify111111111111111111111111111'),
  key('KeccakSecp256k11111111111111111111111111111'),
  key('Secp256r1SigVerify1111111111111111111111111'),
])
/** Programs that are not BPF: 3,000 units each by default instead of 200,000 (SIMD-0170). */
const BUILTINS: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET,
  key('11111111111111111111111111111111'),
  key('Vote111111111111111111111111111111111111111'),
  key('BPFLoaderUpgradeab1e11111111111111111111111'),
  key('BPFLoader1111111111111111111111111111111111'),
  key('BPFLoader2111111111111111111111111111111111'),
  key('LoaderV411111111111111111111111111111111111'),
  key('KeccakSecp256k11111111111111111111111111111'),
  key('Ed25519SigVerify111111111111111111111111111'),
])

const LAMPORTS_PER_SIGNATURE = 5000n
const MAX_COMPUTE_UNITS = 1_400_000

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
  let byDefault = 0
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.keys[programIdIndex]!
    byDefault += BUILTINS.has(program) ? 3000 : 200_000
    if (program === COMPUTE_BUDGET) {
      const view = Buffer.from(data.buffer, data.byteOffset, data.length)
      if (data[0] === 2 && data.length >= 5) limit = view.readUInt32LE(1)
      else if (data[0] === 3 && data.length >= 9) price = view.readBigUInt64LE(1)
    } else if (PRECOMPILES.has(program)) {
      signatures += data[0] ?? 0
    }
  }
  let lamports = BigInt(signatures) * LAMPORTS_PER_SIGNATURE
  if (price > 0n) {
    const units = Math.min(limit ?? byDefault, MAX_COMPUTE_UNITS)
    lamports += (BigInt(units) * price + 999_999n) / 1_000_000n
  }
  return { lamports, price }
}
