// Feeds as the answers return them, and as an outside party reads them on chain.
import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { getMetadataPointerState, getTokenMetadata, TOKEN_2022_PROGRAM_ID, unpackMint } from '@solana/spl-token'
import { expect } from 'vitest'
import { readFeed, type Expected } from '../../src/oracle/reader.ts'
import type { Account, Ids, Result } from './models.ts'
import type { Onchain } from './onchain.ts'

export interface Job {
  readonly succeeded: boolean
  readonly value?: string
  readonly error?: string
}

export interface Source {
  readonly defiProtocol: string
  readonly onchainDataSource: Account
  readonly financialInstrument: Account
  readonly onchainDataSourceAuthority: Account
  readonly dataDetails: { readonly kind: string; readonly ratingProvider: string | null }
  readonly oracleProviderDetails: { readonly kind: string; readonly jobDefinition: string }
  readonly latest: {
    readonly value: string
    readonly asOf: string
    readonly slot: number
    readonly sequence: number
  } | null
  readonly stale: boolean
  readonly lastRun: { readonly at: string; readonly value: string | null; readonly jobs: readonly Job[] }
}

export interface Created {
  readonly newOnchainDataSource: Ids
  readonly chainTransaction: Result
}

export interface Refreshed {
  readonly refreshedOnchainDataSource: Ids
  readonly value: string
  readonly asOf: string
  readonly jobs: readonly Job[]
  readonly chainTransaction: Result
}

/** Independent of the service: the account as the standard library reads it, and its text. */
export async function feedOnchain({ connection }: Onchain, source: Ids) {
  const key = new PublicKey(source.onchainId)
  const info = await connection.getAccountInfo(key)
  const mint = unpackMint(key, info, TOKEN_2022_PROGRAM_ID)
  const metadata = await getTokenMetadata(connection, key, 'confirmed', TOKEN_2022_PROGRAM_ID)
  const pointer = getMetadataPointerState(mint)
  expect(mint).toMatchObject({ supply: 0n, mintAuthority: null, freezeAuthority: null })
  expect(pointer?.metadataAddress?.toBase58()).toBe(source.onchainId)
  expect(pointer?.authority ?? null).toBeNull()
  expect(metadata?.mint.toBase58()).toBe(source.onchainId)
  expect(metadata?.additionalMetadata.map(([name]) => name)).toEqual(['q'])
  return {
    text: metadata!.additionalMetadata[0]![1],
    publisher: metadata!.updateAuthority!.toBase58(),
    bytes: info!.data.length,
    info: info!,
  }
}

export const hashOf = (canonical: string): string => createHash('sha256').update(canonical).digest('hex').slice(0, 32)

export function readAs(source: Ids, info: { owner: PublicKey; data: Buffer }, expected: Expected) {
  return readFeed({ address: source.onchainId, owner: info.owner.toBase58(), data: info.data }, expected)
}
