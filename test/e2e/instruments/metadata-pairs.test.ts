// Custom metadata of an instrument: the record and the events have the pairs that are on chain.
import { PublicKey } from '@solana/web3.js'
import { getTokenMetadata, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../harness.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, unwatched)
})
afterAll(() => world.stop())

interface Instrument {
  readonly onchainData: { readonly simpleCustomMetadata: Readonly<Record<string, string>> | null }
}

it('the last pair removed and another one added in one update', async () => {
  const { records, api, chain } = world
  await records.feePayer()
  const instrument = await records.instrument('TOKEN_2022', await records.account(), {
    onchainData: { name: 'Bond', symbol: 'BND', simpleCustomMetadata: { isin: 'OLD' } },
  })
  await api.ok(200, 'PATCH', '/financial-instruments', {
    mintAccount: instrument,
    onchainData: { simpleCustomMetadata: { isin: null, cusip: 'NEW' } },
  })
  const address = new PublicKey(instrument.onchainId)
  const onChain = await getTokenMetadata(chain.connection, address, 'confirmed', TOKEN_2022_PROGRAM_ID)
  const { offchainId } = instrument
  const { onchainData } = await api.read<Instrument>('/financial-instruments/single', { offchainId })
  expect([onchainData.simpleCustomMetadata, onChain?.additionalMetadata]).toEqual([
    { cusip: 'NEW' },
    [['cusip', 'NEW']],
  ])
})
