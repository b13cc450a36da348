// The fee of a transaction in lamports, as the service expects it and the embedded chain charges it.
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './address.ts'
import { MAX_COMPUTE_UNITS } from './instructions/compute-budget.ts'

const LAMPORTS_PER_SIGNATURE = 5000n

const ED25519_PROGRAM = 'Ed25519SigVerify111111111111111111111111111'
const SECP256K1_PROGRAM = 'KeccakSecp256k11111111111111111111111111111'

/**
 * Programs that verify signatures, which cost as much as those of the transaction. The first byte of an instruction
 * is the number of its signatures.
 */
export const PRECOMPILE_PROGRAMS: readonly string[] = [
  ED25519_PROGRAM,
  SECP256K1_PROGRAM,
  'Secp256r1SigVerify1111111111111111111111111',
]

/** Programs that have fewer compute units by default (SIMD-0170). */
export const BUILTIN_PROGRAMS: readonly string[] = [
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  SECP256K1_PROGRAM,
  ED25519_PROGRAM,
]

const UNITS_OF_BUILTIN = 3_000
const UNITS_OF_PROGRAM = 200_000

/**
 * Compute units that a transaction pays for.
 * @param requested null: the message has no limit, so each instruction adds a default
 * @param builtin of each instruction, whether its program is one of `BUILTIN_PROGRAMS`
 */
export function paidUnits(requested: number | null, builtin: readonly boolean[]): number {
  const byDefault = () => builtin.reduce((sum, is) => sum + (is ? UNITS_OF_BUILTIN : UNITS_OF_PROGRAM), 0)
  return Math.min(requested ?? byDefault(), MAX_COMPUTE_UNITS)
}

/**
 * Lamports, rounded up.
 * @param price micro-lamports per unit
 */
export function priorityFee(units: number, price: bigint): bigint {
  return (BigInt(units) * price + 999_999n) / 1_000_000n
}

/**
 * @param signatures of the message and of its precompiles
 * @param price micro-lamports per unit
 */
export function feeLamports(signatures: number, units: number, price: bigint): bigint {
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priorityFee(units, price)
}
