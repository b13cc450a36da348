// Distributes the addresses of a table over transactions.
import { SYSTEM_PROGRAM } from '../../solana/address.ts'
import { compileMessage } from '../../solana/compile.ts'
import { computeUnitLimit, computeUnitPrice } from '../../solana/instructions/compute-budget.ts'
import { extendTable } from '../../solana/instructions/lookup-table.ts'
import { PACKET_LIMIT_BYTES, transactionSize, type Instruction } from '../../solana/message.ts'
import type { ChainTransactionConfig } from '../../contract/values/chain-config.ts'

const ADDRESS_BYTES = 32
/** The data length takes a second byte once the instruction contains addresses. */
const LENGTH_BYTES = 1
/**
 * Bytes of a nonce advance: nonce account, sysvar, a separate nonce authority with its signature, and the
 * instruction.
 */
const NONCE_BYTES = 32 + 32 + 32 + 64 + 10

export interface Extension {
  readonly table: string
  readonly authority: string
  readonly payer: string
}

/**
 * Space for a compute unit price is always included.
 *
 * @param before instructions that precede the first portion
 */
export function portionsOf(
  addresses: readonly string[],
  extension: Extension,
  before: readonly Instruction[],
  config: ChainTransactionConfig | undefined,
): string[][] {
  const portions = [addresses.slice(0, roomBeside(before, extension, config))]
  const room = roomBeside([], extension, config)
  for (let at = portions[0]!.length; at < addresses.length; at += room) portions.push(addresses.slice(at, at + room))
  return portions
}

function roomBeside(
  before: readonly Instruction[],
  extension: Extension,
  config: ChainTransactionConfig | undefined,
): number {
  const empty = compileMessage({
    feePayer: extension.payer,
    instructions: [computeUnitLimit(1), computeUnitPrice(1n), ...before, extendTable({ ...extension, addresses: [] })],
    blockhash: SYSTEM_PROGRAM,
    version: 'V0',
  })
  const reserved = LENGTH_BYTES + (config?.messageLifetimeStrategy === 'DURABLE_NONCE' ? NONCE_BYTES : 0)
  return Math.floor((PACKET_LIMIT_BYTES - transactionSize(empty) - reserved) / ADDRESS_BYTES)
}
