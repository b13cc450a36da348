// A feed that the system tenant shares sets the prices of other tenants: while one of their strategies or loans uses
// it, it changes only by a key with ACCOUNT_POLICY_WRITE, whichever cell that tenant is in.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import { eventually } from '../e2e/harness.ts'
import { terms } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../e2e/models.ts'
import { LendingTenants } from './fixtures/lending-tenants.ts'

const SOURCES = '/market-data/onchain-data-source'
const ROLES = ['MARKET_DATA_WRITE', 'MARKET_DATA_READ']

let tenants: LendingTenants
let marketOnly: Client

beforeAll(async () => {
  tenants = await LendingTenants.open()
  marketOnly = (await tenants.limits.person('SYSTEM', ROLES)).api
})
afterAll(() => tenants.fixture.world.stop())

const jobOf = (big: string): string => JSON.stringify({ tasks: [{ valueTask: { big } }] })

/** A shared feed of a shared instrument. */
async function sharedFeed(): Promise<{ bond: Ids; feed: Ids }> {
  const { api, records } = tenants.fixture.world
  const mintAccount = { shareAcrossTenants: true }
  const bond = await records.instrument('SPL', await records.account(), { mintAccount })
  const { newOnchainDataSource: feed } = await api.ok<{ newOnchainDataSource: Ids }>(201, 'POST', SOURCES, {
    defiProtocol: 'PUBLISHED_FEED',
    onchainDataSource: { shareAcrossTenants: true },
    financialInstrument: { onchainId: bond.onchainId },
    onchainDataSourceAuthority: await records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } }),
    dataDetails: { kind: 'PRICE' },
    oracleProviderDetails: { kind: 'QUOTES', jobDefinition: jobOf('1') },
  })
  return { bond, feed }
}

async function repriced(feed: Ids, price: string): Promise<string> {
  const onchainDataSource = { offchainId: feed.offchainId }
  const change = { onchainDataSource, oracleProviderDetails: { jobDefinition: jobOf(price) } }
  const { status, body } = await marketOnly.send<Problems>('PATCH', SOURCES, change)
  return [status, ...(status === 200 ? [] : body.errors!.map(({ code }) => code))].join(' ')
}

it('14.6: a shared feed that a strategy of another tenant uses changes its job by a policy key only', async () => {
  const { lender } = tenants
  await tenants.fixture.world.records.feePayer()
  const { bond, feed } = await sharedFeed()
  expect(await repriced(feed, '2')).toBe('200')
  const treasury = await tenants.treasury(100n)
  const collateral = [terms(bond, { onchainDataSource: { onchainId: feed.onchainId } })]
  await eventually(async () => {
    const strategy = tenants.strategy(treasury, { collateral })
    await lender.admin.api.ok(201, 'POST', '/loans/strategies', strategy)
  })
  expect(await repriced(feed, '1000')).toBe('403 ROLE_REQUIRED')
})
