// A served chain, a stock connection to it, and a funded payer.
import { Keypair, PublicKey, type Connection } from '@solana/web3.js'
import { afterAll, beforeAll, expect } from 'vitest'
import { serveChain, type ServedChain } from './rpc-chain.ts'

export let chain: ServedChain
export let connection: Connection
export let payer: Keypair

export const address = (): PublicKey => Keypair.generate().publicKey

/** Registers the hooks that set up the exports of this file for the tests, and clean up. */
export function withConnection(): void {
  beforeAll(async () => {
    chain = await serveChain()
    connection = chain.connection()
    payer = await chain.payer()
  })
  afterAll(async () => {
    expect(chain.unexpected).toEqual([])
    await chain.close()
  })
}
