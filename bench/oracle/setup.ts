// The scene of the feeds: an instrument, and feeds of its price with jobs that need no source, all of one publisher.
import { Connection } from '@solana/web3.js'
import type { ServiceProcess } from '../service/process.ts'
import { inParallel, type Ids } from '../service/rest.ts'
import { createTenant } from '../service/tenant.ts'
import { fundFeePayer, makeInstrument, makeWallet } from '../service/assets.ts'

const FEEDS = 64
const AT_ONCE = 16
const PATH = '/market-data/onchain-data-source'

export interface FeedScene {
  readonly apiKey: string
  readonly publisher: Ids
  readonly feeds: readonly Ids[]
}

export async function prepare(service: ServiceProcess, chain: Connection): Promise<FeedScene> {
  const { rest, apiKey } = await createTenant(service, 'BENCH')
  await fundFeePayer(chain, await makeWallet(rest, { canPayFees: true }))
  const authority = await makeWallet(rest, { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'MINT' } })
  const publisher = await makeWallet(rest, {
    offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'FEEDS' },
  })
  const instrument = await makeInstrument(rest, authority)
  const feeds = await inParallel(FEEDS, AT_ONCE, async (index) => {
    const { newOnchainDataSource } = await rest.post<{ newOnchainDataSource: Ids }>(PATH, {
      itemData: {
        defiProtocol: 'PUBLISHED_FEED',
        onchainDataSource: {},
        financialInstrument: { offchainId: instrument.offchainId },
        onchainDataSourceAuthority: { offchainId: publisher.offchainId },
        dataDetails: { kind: 'PRICE' },
        oracleProviderDetails: {
          kind: 'QUOTES',
          jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big: `1.${index + 1}` } }] }),
        },
      },
    })
    return newOnchainDataSource
  })
  return { apiKey, publisher, feeds }
}
