// SIGKILL while feeds are refreshed on a schedule: before a publication was sent, and after it landed unnoticed. After
// each restart every feed continues, its sequence only rises, and no refresh of the schedule is published or paid for
// twice.
import { PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { refOf, type Ref } from './api.ts'
import { startOutsideChain } from './chain.ts'
import { randomOf } from './random.ts'
import { ALWAYS, setFaults } from '../chain-faults.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { idOf, settle } from './setup.ts'
import { until } from './until.ts'

const FEEDS = 5
const PERIOD_SECONDS = 2
/** A blockhash must outlive a restart. */
const SLOT_MS = 400
const FAULTS = [
  { dropRequests: { sendTransaction: ALWAYS } },
  { dropReplies: { sendTransaction: ALWAYS }, dropRequests: { getSignatureStatuses: ALWAYS } },
]

interface Publication {
  readonly signature: string
  readonly asOf: number
  readonly sequence: number
  readonly fee: number
}

/** The landed publications of a feed, oldest first, read from the instructions. */
async function publications({ connection }: Service, feed: Ref): Promise<Publication[]> {
  const signatures = await connection.getSignaturesForAddress(new PublicKey(feed.onchainId), { limit: 1000 })
  const results = await Promise.all(
    signatures.toReversed().map(async ({ signature, err }) => {
      expect(err).toBeNull()
      const landed = await connection.getTransaction(signature, {
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      })
      const data = landed!.transaction.message.compiledInstructions
        .map((each) => Buffer.from(each.data).toString('latin1'))
        .join()
      const [, asOf, sequence] = /v1\|[+-]\d{39}\|[+-]\d{2}\|\d{20}\|(\d{12})\|(\d{20})\|/.exec(data)!
      return { signature, asOf: Number(asOf), sequence: Number(sequence), fee: landed!.meta!.fee }
    }),
  )
  return results
}

async function latest({ api }: Service, feed: Ref): Promise<number> {
  const { latest: latestValue } = (await api.get('/market-data/onchain-data-source/single', {
    onchainDataSource: idOf(feed),
  })) as {
    latest: { sequence: number }
  }
  return latestValue.sequence
}

it('publishes each sequence number once, and continues after every restart', async () => {
  const chain = await startOutsideChain(SLOT_MS)
  const dataDir = newDataDir()
  const settings = { ...chain.settings, FEED_REFRESH_SECONDS: String(PERIOD_SECONDS) }
  const start = (): Promise<Service> => startService({ dataDir, settings }, chain.rpcUrl)
  let service = await start()
  const { feedPayer, feeds } = await makeFeeds(service)
  const random = randomOf(20_261_122)
  for (const faults of FAULTS) {
    await setFaults(chain.rpcUrl, faults)
    await until(async () => (await underWay(service)) > 0 || undefined, 'a publication is under way')
    for (let questions = random(20); questions > 0; questions -= 1) await underWay(service)
    await service.kill()
    await setFaults(chain.rpcUrl, {})
    service = await start()
    await everyFeedGoesOn(service, feeds)
  }
  expect(await service.stop()).toBe(0)
  let fees = 0
  for (const feed of feeds) {
    const landed = await publications(service, feed)
    const [firstValue] = landed
    expect(firstValue!.sequence).toBe(1)
    for (const [index, { asOf, sequence }] of landed.slice(1).entries()) {
      expect(sequence).toBeGreaterThan(landed[index]!.sequence)
      expect(asOf - landed[index]!.asOf).toBeGreaterThanOrEqual(PERIOD_SECONDS)
    }
    fees += landed.reduce((sum, { fee }) => sum + fee, 0)
  }
  // Its payer has paid only for these: a publication of one or two signatures each, and the rent of the accounts.
  const rent = (
    await service.connection.getMultipleAccountsInfo(feeds.map(({ onchainId }) => new PublicKey(onchainId)))
  ).reduce((sum, info) => sum + info!.lamports, 0)
  expect(FUNDS - (await service.connection.getBalance(new PublicKey(feedPayer.onchainId)))).toBe(fees + rent)
})

const FUNDS = 10_000_000_000

async function makeFeeds(service: Service): Promise<{ feedPayer: Ref; feeds: Ref[] }> {
  const { api, connection } = service
  const setup = await settle(service, { owners: 1 })
  const feedPayer = refOf(await api.make('/accounts', { canPayFees: true }), 'newAccount')
  await connection.requestAirdrop(new PublicKey(feedPayer.onchainId), FUNDS)
  const checkFunded = async (): Promise<true | undefined> => {
    const { offchain } = (await api.get('/accounts/single/balance', idOf(feedPayer))) as {
      offchain: { lamports: number }
    }
    return offchain.lamports === FUNDS ? true : undefined
  }
  await until(checkFunded, 'the airdrop is in the books')
  const feeds = await Promise.all(
    Array.from({ length: FEEDS }, async (_, index) => {
      const feed = {
        defiProtocol: 'PUBLISHED_FEED',
        onchainDataSource: {},
        financialInstrument: idOf(setup.instruments[0]!),
        onchainDataSourceAuthority: idOf(feedPayer),
        dataDetails: { kind: 'PRICE' },
        oracleProviderDetails: { kind: 'QUOTES', jobDefinition: `{"tasks":[{"valueTask":{"value":${index + 1}}}]}` },
      }
      const creation = await api.make('/market-data/onchain-data-source', feed, {
        chainTransactionConfig: { feePayer: idOf(feedPayer) },
      })
      return refOf(creation, 'newOnchainDataSource')
    }),
  )
  return { feedPayer, feeds }
}

async function everyFeedGoesOn(service: Service, feeds: readonly Ref[]): Promise<void> {
  await Promise.all(
    feeds.map(async (feed) => {
      const before = await latest(service, feed)
      await until(
        async () => (await latest(service, feed)) > before || undefined,
        `${feed.onchainId} is published again`,
      )
    }),
  )
}

/** Signed publications that have not settled, as far as it is known. */
async function underWay({ api }: Service): Promise<number> {
  const filter = [
    { fieldName: 'status', filterValues: [{ filterType: 'IN', valuesString: ['SIGNED', 'SUBMITTED', 'PROCESSED'] }] },
  ]
  return (await api.query('/transactions/bulk/compact', { itemQuery: { filter } }))['count'] as number
}
