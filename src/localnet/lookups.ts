// Resolves address lookup tables as a cluster does: an address is usable from the slot after the one that appended it,
// and a deactivated table is usable while its deactivation slot is among the recent slot hashes.

import { decodeKey } from './base58.ts'
import type { BankAccount } from './contract.ts'
import type { WireLookup } from './wire.ts'

const PROGRAM = decodeKey('AddressLookupTab1e1111111111111111111111111')!
const HEADER_BYTES = 56
const NEVER = 0xffff_ffff_ffff_ffffn

/** Addresses that a transaction looks up, as latin1 strings of 32 bytes. */
export interface LoadedKeys {
  readonly writable: readonly string[]
  readonly readonly: readonly string[]
}

export const NO_LOADED_KEYS: LoadedKeys = { writable: [], readonly: [] }

export interface LookupView {
  readonly slot: number
  account(key: string): BankAccount | null
  /** Whether the slot hashes sysvar contains this slot. */
  hasSlotHash(slot: number): boolean
}

/**
 * The addresses, or the name of the transaction error. Table layout: deactivation slot u64 at 4, last extended slot u64
 * at 12, start index of that extension u8 at 20, addresses from 56.
 */
export function resolveLookups(lookups: readonly WireLookup[], view: LookupView): LoadedKeys | string {
  if (lookups.length === 0) return NO_LOADED_KEYS
  const writable: string[] = []
  const readonly: string[] = []
  for (const lookup of lookups) {
    const account = view.account(Buffer.from(lookup.table).toString('latin1'))
    if (!account) return 'AddressLookupTableNotFound'
    if (!PROGRAM.equals(account.owner)) return 'InvalidAddressLookupTableOwner'
    const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.length)
    if (data.length < HEADER_BYTES || data.readUInt32LE(0) !== 1) return 'InvalidAddressLookupTableData'
    if ((data.length - HEADER_BYTES) % 32 !== 0) return 'InvalidAddressLookupTableData'
    const deactivated = data.readBigUInt64LE(4)
    const usable = deactivated === NEVER || Number(deactivated) === view.slot || view.hasSlotHash(Number(deactivated))
    if (!usable) return 'AddressLookupTableNotFound'
    const total = (data.length - HEADER_BYTES) / 32
    const active = view.slot > Number(data.readBigUInt64LE(12)) ? total : data[20]!
    const take = (indexes: Uint8Array, into: string[]): boolean => {
      for (const index of indexes) {
        if (index >= active) return false
        into.push(data.toString('latin1', HEADER_BYTES + index * 32, HEADER_BYTES + index * 32 + 32))
      }
      return true
    }
    if (!take(lookup.writable, writable) || !take(lookup.readonly, readonly)) return 'InvalidAddressLookupTableIndex'
  }
  return { writable, readonly }
}
