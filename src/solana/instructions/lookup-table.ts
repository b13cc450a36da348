/** Address lookup tables: append-only lists of at most 256 addresses; entries are usable from the next slot on. */
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM, addressBytes } from '../address.ts'
import { lookupTableAddress } from '../derive.ts'
import type { AccountMeta, Instruction } from '../message.ts'
import { join, payer, readonly, signer, u32, u64, writable } from './bytes.ts'

export const MAX_TABLE_ADDRESSES = 256

/**
 * Creates an empty table.
 * @param request `recentSlot` must be in SlotHashes: at most 512 slots old, and its block not skipped
 * @returns the instruction and the table's address, which authority and slot determine
 */
export function createTable(request: {
  readonly authority: string
  readonly payer: string
  readonly recentSlot: bigint
}): { instruction: Instruction; table: string } {
  const { address, bump } = lookupTableAddress(request.authority, request.recentSlot)
  const accounts = [writable(address), signer(request.authority), payer(request.payer), readonly(SYSTEM_PROGRAM)]
  const data = join(u32(0), u64(request.recentSlot), Uint8Array.of(bump))
  return { instruction: { program: LOOKUP_TABLE_PROGRAM, accounts, data }, table: address }
}

/** Appends addresses; `payer` pays the additional rent. */
export function extendTable(request: {
  readonly table: string
  readonly authority: string
  readonly payer: string
  readonly addresses: readonly string[]
}): Instruction {
  const accounts = [writable(request.table), signer(request.authority), payer(request.payer), readonly(SYSTEM_PROGRAM)]
  const data = join(u32(2), u64(BigInt(request.addresses.length)), ...request.addresses.map(addressBytes))
  return { program: LOOKUP_TABLE_PROGRAM, accounts, data }
}

function onTable(discriminator: number, table: string, authority: string, ...more: AccountMeta[]): Instruction {
  return {
    program: LOOKUP_TABLE_PROGRAM,
    accounts: [writable(table), signer(authority), ...more],
    data: u32(discriminator),
  }
}

/** Removes the authority: the table can never be extended or closed again. */
export function freezeTable(table: string, authority: string): Instruction {
  return onTable(1, table, authority)
}

/** Starts the cool-down (513 blocks) after which the table may be closed. */
export function deactivateTable(table: string, authority: string): Instruction {
  return onTable(3, table, authority)
}

/** Closes a deactivated table; its lamports go to `recipient`. */
export function closeTable(table: string, authority: string, recipient: string): Instruction {
  return onTable(4, table, authority, writable(recipient))
}
