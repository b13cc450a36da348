// Deferred work of several nodes, while the node that owns the cell is killed repeatedly: each occurrence of a
// schedule, each item of a batch, and each part of a distribution takes effect once.
import { Connection, PublicKey } from '@solana/web3.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiOf, refOf, type Api, type Body, type Ref } from '../crash/api.ts'
import { openClusterFixture, ownerOf, type ClusterFixture, type NodeProcess } from './cluster-fixture.ts'
import { until } from './nodes-fixture.ts'

const SOL = 1_000_000_000
const COUNT = 16
const APART_MS = 1_000
const KILLS = 3
const WITHIN_MS = 120_000
const UNLIMITED = { networkCurrencyDebitLimits: [] }

let fixture: ClusterFixture
let nodes: NodeProcess[]
let connection: Connection

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '3000' })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  connection = new Connection(fixture.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  await ownerOf(nodes)
})
afterAll(async () => fixture[Symbol.asyncDispose]())

/** At any running node: it forwards to the owner. */
const api = (): Api => apiOf(nodes.find(({ hasEnded }) => !hasEnded)!.url, fixture.apiKey)
const balance = ({ onchainId }: Ref): Promise<number> => connection.getBalance(new PublicKey(onchainId))

async function fundWallet(lamports: number, itemData: object = UNLIMITED): Promise<Ref> {
  const account = refOf(await api().make('/accounts', itemData), 'newAccount')
  await connection.requestAirdrop(new PublicKey(account.onchainId), lamports)
  await until('it is funded', async () => (await balance(account)) === lamports)
  await api().get('/accounts/single/balance', { offchainId: account.offchainId })
  return account
}

/** undefined while no node answers. */
const query = (path: string, body: object): Promise<Body | undefined> =>
  api()
    .query(path, body)
    .catch(() => undefined)

async function statuses(): Promise<readonly string[] | undefined> {
  const answer = await query('/schedules/occurrences/bulk', { itemQuery: { limit: 1_000 } })
  return (answer?.['items'] as readonly { status: string }[] | undefined)?.map(({ status }) => status)
}

const isDone = async (path: string, offchainId: string): Promise<boolean> => {
  const record = await query(path, { itemData: { offchainId } })
  return record?.['status'] === 'DONE'
}

async function killOwner(): Promise<void> {
  const owner = await ownerOf(nodes)
  owner.signal('SIGKILL')
  await owner.ended
  expect(await ownerOf(nodes.filter((node) => node !== owner))).not.toBe(owner)
  nodes[nodes.indexOf(owner)] = await fixture.start(owner.name)
}

/** Each has its own amount: a missing or repeated one shows in the sum. */
const amountOf = (index: number): number => 2 ** index
const ALL = 2 ** COUNT - 1

async function schedule(source: Ref, destination: Ref): Promise<void> {
  const startMs = Date.now() + 20_000
  for (let index = 0; index < COUNT; index += 1)
    await api().make('/schedules', {
      operation: 'TRANSFER_NETWORK_CURRENCY',
      itemData: { source, destination, lamports: amountOf(index) },
      startAt: new Date(startMs + index * APART_MS).toISOString(),
      every: { code: 'WEEKS', unit: 1 },
      maxRuns: 1,
    })
}

async function makeBatch(source: Ref, destination: Ref): Promise<string> {
  const items = Array.from({ length: COUNT }, (_, index) => ({ source, destination, lamports: amountOf(index) }))
  return refOf(await api().make('/batches', { operation: 'TRANSFER_NETWORK_CURRENCY', items }), 'newBatch').offchainId
}

async function distribute(source: Ref, holders: readonly Ref[]): Promise<string> {
  const itemData = {
    mintAccount: {},
    version: 'TOKEN_2022',
    mintAuthority: source,
    onchainData: { name: 'Share', symbol: 'SHR', decimals: 0 },
  }
  const share = refOf(await api().make('/financial-instruments', itemData), 'newFinancialInstrument')
  for (const [index, owner] of holders.entries()) {
    const position = refOf(await api().make('/positions', { owner, financialInstrument: share }), 'newPosition')
    await api().make('/positions/mint', { destination: { position }, lamports: index + 1 })
  }
  const answer = await api().make('/distributions', {
    financialInstrument: share,
    // Computed in the middle of the kills.
    recordAt: new Date(Date.now() + 25_000).toISOString(),
    source: { owner: source },
    payout: { perUnit: '0.001' },
  })
  return refOf(answer, 'newDistribution').offchainId
}

it('is done once, whichever nodes owned the cell meanwhile', async () => {
  await fundWallet(10 * SOL, { ...UNLIMITED, canPayFees: true })
  const source = await fundWallet(20 * SOL)
  const [scheduled, batched, ...holders] = await Promise.all(Array.from({ length: 5 }, () => fundWallet(SOL)))
  const distribution = await distribute(source, holders)
  await schedule(source, scheduled!)
  const batch = await makeBatch(source, batched!)
  for (let kills = 0, known = 0; kills < KILLS; kills += 1) {
    await until('another occurrence is on record', async () => ((await statuses())?.length ?? 0) > known, WITHIN_MS)
    await killOwner()
    known = Math.min((await statuses())?.length ?? known, COUNT - 1)
  }
  const hasEnded = async (): Promise<boolean> => {
    const list = await statuses()
    return list?.length === COUNT && !list.includes('UNDER_WAY')
  }
  await until('every occurrence has ended', hasEnded, WITHIN_MS)
  await until('the batch is done', () => isDone('/batches/single', batch), WITHIN_MS)
  await until('the distribution is done', () => isDone('/distributions/single', distribution), WITHIN_MS)

  expect(await statuses()).toEqual(Array(COUNT).fill('DONE'))
  expect(await balance(scheduled!)).toBe(SOL + ALL)
  expect(await balance(batched!)).toBe(SOL + ALL)
  expect(await Promise.all(holders.map(balance))).toEqual(holders.map((_, index) => SOL + (index + 1) * 1_000_000))
  const paidLamports = holders.reduce((sum, _, index) => sum + (index + 1) * 1_000_000, 0)
  expect(await balance(source)).toBe(20 * SOL - 2 * ALL - paidLamports)
})
