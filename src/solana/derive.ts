/**
 * Program-derived addresses. Those of token accounts are cached: a derivation costs about a hundred microseconds, and
 * the address never changes.
 */
import { hash } from 'node:crypto'
import { ASSOCIATED_TOKEN_PROGRAM, LOOKUP_TABLE_PROGRAM, addressBytes, addressOf } from './address.ts'
import { BoundedCache } from './bounded-cache.ts'
import { isOnCurve } from './curve.ts'
import { FormatError } from './format-error.ts'

const MARKER = Buffer.from('ProgramDerivedAddress')
const CACHED_DERIVATIONS = 65_536

const associated = new BoundedCache<string>(CACHED_DERIVATIONS)

/**
 * The first address off the curve, counting the bump down from 255 (`Pubkey::find_program_address` of the Solana SDK).
 * @param seeds at most 15 of at most 32 bytes each
 * @throws FormatError MALFORMED
 */
export function programAddress(seeds: readonly Uint8Array[], program: string): { address: string; bump: number } {
  if (seeds.length > 15 || seeds.some((seed) => seed.length > 32))
    throw new FormatError('MALFORMED', 'seeds are at most 15 of 32 bytes')
  const programBytes = addressBytes(program)
  for (let bump = 255; bump >= 0; bump--) {
    const candidate = hash('sha256', Buffer.concat([...seeds, Uint8Array.of(bump), programBytes, MARKER]), 'buffer')
    if (!isOnCurve(candidate)) return { address: addressOf(candidate), bump }
  }
  throw new FormatError('MALFORMED', 'no bump gives an address off the curve')
}

/**
 * The associated token account of an owner for a mint, under the token program that owns the mint.
 * @throws FormatError ADDRESS_MALFORMED
 */
export function associatedTokenAddress(owner: string, mint: string, tokenProgram: string): string {
  const key = `${owner}${mint}${tokenProgram}`
  const known = associated.get(key)
  if (known) return known
  const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)]
  const { address } = programAddress(seeds, ASSOCIATED_TOKEN_PROGRAM)
  associated.set(key, address)
  return address
}

/** The address and bump of the lookup table that an authority creates at a slot. */
export function lookupTableAddress(authority: string, recentSlot: bigint): { address: string; bump: number } {
  const slot = Buffer.alloc(8)
  slot.writeBigUInt64LE(recentSlot)
  return programAddress([addressBytes(authority), slot], LOOKUP_TABLE_PROGRAM)
}
