// Addresses derived with the standard library, independently of the service's own derivation.
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { programOf, type Version } from './onchain.ts'

export function associated(owner: string, mint: string, version: Version): string {
  return getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, programOf(version)).toBase58()
}
