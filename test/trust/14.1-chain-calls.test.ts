// Reads of the chain for the decision about a payment: none if only keys of the tenant can have changed the accounts,
// and exactly one account if another party can.
import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformCluster } from '../../src/operations/context/platform.ts'
import { startWorld, unwatched, type World } from '../e2e/harness.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { tenant, type Tenant } from './fixtures/tenants.ts'

const TRANSFER = '/positions/transfer'
const READS = [
  'accounts',
  'accountsAsOf',
  'finalizedAccounts',
  'lookupTables',
  'rentExemptLamports',
  'simulate',
  'freshBlockhash',
] as const

let world: World
let owner: Tenant
let wallet: Ids
let instrument: Ids
let source: Ids
/** Reads of the chain by requests since it was emptied, with their arguments. */
const reads: string[] = []

beforeAll(async () => {
  world = await startWorld({}, unwatched, { opened: ({ platform }) => platform.clusters.forEach(countReads) })
  owner = await tenant(world, 'OWNER')
  wallet = await owner.records.funded({ tokenDebitLimits: [], networkCurrencyDebitLimits: [] }, SOL)
  instrument = await owner.records.instrument('TOKEN_2022', wallet)
  source = await owner.records.position(wallet, instrument, 1_000n)
})
afterAll(() => world.stop())

function countReads(cluster: PlatformCluster): void {
  for (const name of READS) {
    const read = cluster[name].bind(cluster) as (...args: unknown[]) => unknown
    Object.assign(cluster, {
      [name]: (...given: unknown[]) => {
        reads.push(`${name} ${JSON.stringify(given[0] ?? null)}`)
        return read(...given)
      },
    })
  }
}

/** The reads of the request alone. */
async function readsOf(destination: object, more: object = {}): Promise<string[]> {
  reads.length = 0
  const payment = await owner.api.ok<Result>(201, 'POST', TRANSFER, {
    source: { position: source },
    destination,
    lamports: '1',
    ...more,
  })
  expect(payment.success, JSON.stringify(payment)).toBe(true)
  return reads.filter((read) => !read.startsWith('freshBlockhash'))
}

describe('14.1 reads of the chain of a transfer', () => {
  it('are none between associated accounts of own wallets, with any kind of reference', async () => {
    const payee = await owner.records.account()
    const position = await owner.records.position(payee, instrument)
    const owned = { owner: payee, financialInstrument: instrument }
    const readLists = [
      await readsOf({ position }),
      await readsOf(owned),
      await readsOf({ position: { onchainId: position.onchainId } }),
      await readsOf(owned, { initializeDestinationPositionIfNeeded: true }),
    ]
    expect(readLists).toEqual([[], [], [], []])
  })

  it('are the token account alone if the owner is unknown', async () => {
    const payee = await owner.records.account({ managed: false, onchainId: Keypair.generate().publicKey.toBase58() })
    const position = await owner.records.position(payee, instrument)
    const singleRead = [`accounts ${JSON.stringify([position.onchainId])}`]
    expect(await readsOf({ position })).toEqual(expect.arrayContaining(singleRead))
    expect(await readsOf({ owner: payee, financialInstrument: instrument })).toEqual(expect.arrayContaining(singleRead))
  })
})
