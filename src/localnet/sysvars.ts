// The sysvars that the engine does not update, encoded as accounts: SlotHashes and RecentBlockhashes.

import { decodeKey } from './base58.ts'
import type { VmAccount } from './vm.ts'

export const SYSVAR_OWNER = decodeKey('Sysvar1111111111111111111111111111111111111')!
export const SLOT_HASHES = decodeKey('SysvarS1otHashes111111111111111111111111111')!
export const RECENT_BLOCKHASHES = decodeKey('SysvarRecentB1ockHashes11111111111111111111')!

export const SLOT_HASHES_KEPT = 512
const SLOT_HASHES_BYTES = 20_488
const BLOCKHASHES_KEPT = 150
const BLOCKHASHES_BYTES = 6_008

export interface SlotHashEntry {
  readonly slot: number
  /** 32 bytes, latin1. */
  readonly hash: string
}

const sysvar = (data: Buffer): VmAccount => ({ lamports: 1n, owner: SYSVAR_OWNER, data, executable: false })

/**
 * Newest first: count u64, then slot u64 and hash each. A cluster has bank hashes here; this chain has only
 * blockhashes.
 */
export function slotHashes(newestFirst: readonly SlotHashEntry[]): VmAccount {
  const data = Buffer.alloc(SLOT_HASHES_BYTES)
  const count = Math.min(newestFirst.length, SLOT_HASHES_KEPT)
  data.writeUInt32LE(count, 0)
  for (let i = 0; i < count; i += 1) {
    const entry = newestFirst[i]!
    data.writeUIntLE(entry.slot, 8 + i * 40, 6)
    data.write(entry.hash, 16 + i * 40, 'latin1')
  }
  return sysvar(data)
}

/** Newest first: count u64, then hash and lamports per signature (u64) each. */
export function recentBlockhashes(newestFirst: readonly SlotHashEntry[]): VmAccount {
  const data = Buffer.alloc(BLOCKHASHES_BYTES)
  const count = Math.min(newestFirst.length, BLOCKHASHES_KEPT)
  data.writeUInt32LE(count, 0)
  for (let i = 0; i < count; i += 1) {
    data.write(newestFirst[i]!.hash, 8 + i * 40, 'latin1')
    data.writeUInt32LE(5000, 40 + i * 40)
  }
  return sysvar(data)
}
