// The holder of an authority over a mint.
import {
  getMint,
  getMintCloseAuthority,
  getPausableConfig,
  getTokenMetadata,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, type Connection } from '@solana/web3.js'
import type { Ids } from '../e2e/models.ts'

/** Read from the chain, not from the service. */
export async function authorityHolder(
  connection: Connection,
  { onchainId }: Ids,
  authority: string,
): Promise<string | null> {
  const address = new PublicKey(onchainId)
  if (authority === 'update')
    return (await getTokenMetadata(connection, address, 'confirmed'))?.updateAuthority?.toBase58() ?? null
  const mint = await getMint(connection, address, 'confirmed', TOKEN_2022_PROGRAM_ID)
  const holders: Readonly<Record<string, PublicKey | null | undefined>> = {
    mint: mint.mintAuthority,
    freeze: mint.freezeAuthority,
    closing: getMintCloseAuthority(mint)?.closeAuthority,
    pausable: getPausableConfig(mint)?.authority,
  }
  return holders[authority]?.toBase58() ?? null
}
