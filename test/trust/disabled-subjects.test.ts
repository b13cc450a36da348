// Open work of a disabled subject: payments that wait for approval, approvals by its keys, and feeds refreshed with its
// rights. None of it is effective any more; the work of others continues.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../e2e/client.ts'
import type { Source } from '../e2e/feed-fixture.ts'
import { eventually, startWorld, type World } from '../e2e/harness.ts'
import { LimitFixture, perTransaction, stranger, to, type Held } from '../e2e/limits/limit-fixture.ts'
import type { Ids } from '../e2e/models.ts'
import { SOL, type Records } from '../e2e/records.ts'
import { makeIssuer, type Issuer } from './fixtures/issuer.ts'
import { withLateBody } from './fixtures/late-body.ts'

const SOURCES = '/market-data/onchain-data-source'

let issuer: Issuer
let world: World
let fixture: LimitFixture
let admin: Client
let records: Records

beforeAll(async () => {
  issuer = await makeIssuer()
  world = await startWorld({ ...issuer.settings, HOLDFAST_FEED_REFRESH_SECONDS: '1' })
  fixture = new LimitFixture(world)
  await world.api.ok(201, 'POST', '/admin/organizations', { externalId: 'ACME', name: 'Acme' })
  admin = (await fixture.person('ACME', 'ADMIN')).api
  records = world.records.with(admin)
  await records.feePayer()
})
afterAll(async () => {
  await world.stop()
  issuer.remove()
})

const subject = async (sub: string): Promise<Client> => world.api.as(await issuer.token({ sub }))
const disable = (sub: string) => admin.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: `jwt:${sub}` })
const approver = (by: Client) =>
  by.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', {
    organizationExternalId: 'ACME',
    name: 'approver',
    roles: ['DEBIT_LIMIT_APPROVE'],
  })
const approve = (apiKey: string, { offchainId }: Held) =>
  world.api.as(apiKey).ok<Held>(200, 'POST', '/transactions/approve', { offchainId })

it('14.13 its request whose body arrives afterwards is refused', async () => {
  const late = { url: `${world.url}/api/v1/accounts`, bearer: (await subject('oscar')).bearer, body: { itemData: {} } }
  expect(await withLateBody(late, () => Promise.resolve())).toMatchObject({ status: 201 })
  expect(await withLateBody(late, () => disable('oscar'))).toEqual({ status: 401, code: 'CREDENTIALS_INVALID' })
})

it('14.13 a payment that it requested is not approved any more; one of another subject is', async () => {
  const anna = await approver(admin)
  const limit = to('ANY', perTransaction(1, { approversForOverride: [anna.keyId], requiredApproversCount: 1 }))
  const wallet = await records.funded({ networkCurrencyDebitLimits: [limit] }, 20n * SOL)
  const asks = async (sub: string): Promise<Held> =>
    await fixture.pay(wallet, stranger(), 2n * SOL, {}, await subject(sub))
  const [hers, his] = [await asks('mallory'), await asks('alice')]
  expect([hers.status, his.status]).toEqual(['PREPARED', 'PREPARED'])
  await disable('mallory')
  const { offchainId } = hers
  await world.api.as(anna.apiKey).refuses(400, 'REQUESTER_DISABLED', 'POST', '/transactions/approve', { offchainId })
  expect(await world.chain.lamports(wallet.onchainId)).toBe(20n * SOL)
  expect((await approve(anna.apiKey, his)).success).toBe(true)
})

it('14.13 an approval of a key that it created does not count any more, given before or after', async () => {
  const [trudy, bert, carl] = [await approver(await subject('trudy')), await approver(admin), await approver(admin)]
  const all = [trudy, bert, carl].map(({ keyId }) => keyId)
  const limit = to('ANY', perTransaction(1, { approversForOverride: all, requiredApproversCount: 2 }))
  const wallet = await records.funded({ networkCurrencyDebitLimits: [limit] }, 20n * SOL)
  const asks = (): Promise<Held> => fixture.pay(wallet, stranger(), 2n * SOL, {}, admin)
  const [one, control] = [await asks(), await asks()]
  for (const transaction of [one, control]) expect((await approve(trudy.apiKey, transaction)).status).toBe('PREPARED')
  expect((await approve(bert.apiKey, control)).success).toBe(true)
  await disable('trudy')
  const { offchainId } = one
  await world.api.as(trudy.apiKey).refuses(401, 'CREDENTIALS_INVALID', 'POST', '/transactions/approve', { offchainId })
  expect((await approve(bert.apiKey, one)).status).toBe('PREPARED')
  expect(await world.chain.lamports(wallet.onchainId)).toBe(18n * SOL)
  expect((await approve(carl.apiKey, one)).success).toBe(true)
})

it('14.13 14.4 a feed of it, or whose payer lost the right to pay, is no longer refreshed', async () => {
  const instrument = await records.instrument('TOKEN_2022', await records.account())
  const authority = await records.account({ offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY' } })
  const define = async (by: Client, paidBy: Ids): Promise<Ids> =>
    (
      await by.ok<{ newOnchainDataSource: Ids }>(
        201,
        'POST',
        SOURCES,
        {
          defiProtocol: 'PUBLISHED_FEED',
          onchainDataSource: {},
          financialInstrument: instrument,
          onchainDataSourceAuthority: authority,
          dataDetails: { kind: 'PRICE' },
          oracleProviderDetails: {
            kind: 'QUOTES',
            jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big: '1' } }] }),
          },
        },
        { config: { feePayer: paidBy } },
      )
    ).newOnchainDataSource
  const [eve, alice] = [await subject('eve'), await subject('alice')]
  const [first, second, third] = [await records.feePayer(), await records.feePayer(), await records.feePayer()]
  const [eveFeed, unpaidFeed, control] = [
    await define(eve, first),
    await define(alice, second),
    await define(alice, third),
  ]
  const sequence = async (onchainDataSource: Ids): Promise<number> =>
    (await admin.read<Source>(`${SOURCES}/single`, { onchainDataSource })).latest!.sequence
  /** Waits until a source was refreshed this number of times: all other due refreshes were tried by then. */
  const refreshes = async (source: Ids, count: number): Promise<void> => {
    const from = await sequence(source)
    await eventually(async () => expect(await sequence(source)).toBeGreaterThanOrEqual(from + count), 120_000)
  }
  for (const source of [eveFeed, unpaidFeed]) await refreshes(source, 1)
  await disable('eve')
  await admin.ok(200, 'PATCH', '/accounts', { account: second, canPayFees: false })
  // One refresh of each may have been under way.
  await refreshes(control, 2)
  const before = await Promise.all([eveFeed, unpaidFeed].map(sequence))
  await refreshes(control, 3)
  expect(await Promise.all([eveFeed, unpaidFeed].map(sequence))).toEqual(before)
  await admin.ok(200, 'PATCH', '/accounts', { account: second, canPayFees: true })
  await refreshes(unpaidFeed, 1)
})
