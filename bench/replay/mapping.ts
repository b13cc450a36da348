// Replaces the keys of the service by keys of the bench: the signers differ, and addresses derived from the signers
// (associated token accounts, authorities within accounts) are derived from the new keys.
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { PublicKey, type VersionedMessage } from '@solana/web3.js'
import { bareKey, type BareKey } from '../transfers/bare-transfer.ts'

const PROGRAMS = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]

export interface Mapping {
  /** Of the new signers, by their new address. */
  readonly keys: ReadonlyMap<string, BareKey>
  address(old: PublicKey): PublicKey
  /** A copy in which every old key within the bytes is replaced by the new one. */
  bytes(data: Uint8Array): Buffer
}

export function mappingOf(messages: readonly VersionedMessage[]): Mapping {
  const all = new Map(
    messages.flatMap(({ staticAccountKeys }) => staticAccountKeys).map((key) => [key.toBase58(), key]),
  )
  const signers = new Map(messages.flatMap(signersOf).map((key) => [key.toBase58(), key]))
  const places = new Map<string, PublicKey>()
  const keys = new Map<string, BareKey>()
  for (const [name, old] of signers) {
    const own = bareKey()
    places.set(name, own.publicKey)
    keys.set(own.publicKey.toBase58(), own)
    // An address that is no mint yields an unused address.
    for (const mint of all.values()) {
      for (const program of PROGRAMS) {
        const associated = getAssociatedTokenAddressSync(mint, old, true, program).toBase58()
        if (all.has(associated))
          places.set(associated, getAssociatedTokenAddressSync(mint, own.publicKey, true, program))
      }
    }
  }
  const swaps = [...places].map(([old, own]) => [new PublicKey(old).toBuffer(), own.toBuffer()] as const)
  return {
    keys,
    address: (old) => places.get(old.toBase58()) ?? old,
    bytes(data) {
      const copy = Buffer.from(data)
      for (const [old, own] of swaps) {
        for (let at = copy.indexOf(old); at !== -1; at = copy.indexOf(old, at + 1)) copy.set(own, at)
      }
      return copy
    },
  }
}

function signersOf({ header, staticAccountKeys }: VersionedMessage): PublicKey[] {
  return staticAccountKeys.slice(0, header.numRequiredSignatures)
}
