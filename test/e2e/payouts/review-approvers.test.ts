// Who approves a payment under review if the organization names no approvers: every key that holds the role when it
// approves, except the requester's. The approval covers the payment, whatever else happens to keys and names meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BATCHES, BatchFixture } from './batch-fixture.ts'
import { Counterparties, newAddress } from './counterparty-setup.ts'
import { startWorld, type World } from '../harness.ts'
import { type Held } from '../limits/limit-fixture.ts'
import { allows, says, Screener, SECRET } from '../limits/screener.ts'
import { SOL } from '../records.ts'
import { keyOf, type Party } from '../../trust/fixtures/parties.ts'

const APPROVE = '/transactions/approve'
const TRANSACTIONS = '/transactions/bulk/compact'
const RIGHTS = { roles: ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ'] }

let world: World
let screener: Screener
let setup: Counterparties
let address: string
let listing: string

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})
beforeEach(async () => {
  screener.behave = allows
  setup = await Counterparties.open(world)
  address = newAddress()
  listing = await setup.list('REVIEW', address)
})

const newApprover = (organization = setup.party.externalId): Promise<Party> => keyOf(world, organization, RIGHTS)
const disable = ({ keyId }: Party): Promise<unknown> => world.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId })
const rename = (): Promise<void> => setup.change(listing, { name: 'Another name' })

async function request(members: object = {}): Promise<Held> {
  const { status, body } = await setup.pay(address, members)
  expect([status, body.status], JSON.stringify(body)).toEqual([201, 'PREPARED'])
  return body
}

async function isSentBy({ api }: Party, { offchainId }: Held): Promise<void> {
  const body = await api.ok<Held>(200, 'POST', APPROVE, { offchainId })
  expect(body.success, JSON.stringify(body)).toBe(true)
  expect(await world.chain.lamports(address)).toBe(SOL / 10n)
}

async function awaited(path: string, keyId: string, filterType = 'EQUALS'): Promise<number> {
  const filter = [{ fieldName: 'awaitsApprovalBy', filterValues: [{ filterType, valueString: keyId }] }]
  return ((await setup.api.bulk(path, { filter })) as { count: number }).count
}

/** Changes that must not undo an approval, made between the request and the approval. */
const UNRELATED: readonly (readonly [string, () => Promise<() => Promise<unknown>>])[] = [
  ['another key received the role', () => Promise.resolve(() => newApprover())],
  [
    'another key with the role was disabled',
    async () => {
      const other = await newApprover()
      return () => disable(other)
    },
  ],
  ['the counterparty was renamed', () => Promise.resolve(rename)],
]

describe('a payment under review', () => {
  it.each(UNRELATED)('is sent with one approval, although %s', async (_, prepare) => {
    const happens = await prepare()
    const transaction = await request()
    await happens()
    await isSentBy(setup.approver, transaction)
  })

  it.each(UNRELATED)('by a screening service is sent with one approval, although %s', async (_, prepare) => {
    await setup.change(listing, { status: 'ALLOWED' })
    await setup.rules({ screening: { url: screener.url, secret: SECRET, timeoutMs: 10_000 } })
    screener.behave = says({ decision: 'REVIEW' })
    const happens = await prepare()
    const transaction = await request()
    await happens()
    await isSentBy(setup.approver, transaction)
  })

  it('is approved by a key that received the role after the request', async () => {
    const transaction = await request()
    await disable(setup.approver)
    await isSentBy(await newApprover(), transaction)
  })

  it('is listed for the keys that held the role when it was requested', async () => {
    const before = await newApprover()
    const transaction = await request()
    const later = await newApprover()
    const reader = await keyOf(world, setup.party.externalId, { roles: ['TRANSACTIONS_READ'] })
    const inbox = (party: Party): Promise<number> => awaited(TRANSACTIONS, party.keyId)
    const keys = [setup.approver, before, later, reader, setup.party]
    expect(await Promise.all(keys.map(inbox))).toEqual([1, 1, 0, 0, 0])
    expect(await awaited(TRANSACTIONS, before.keyId, 'NOT_EQUALS')).toBe(0)
    expect(await awaited(TRANSACTIONS, later.keyId, 'NOT_EQUALS')).toBe(1)
    await isSentBy(later, transaction)
    expect(await Promise.all(keys.map(inbox))).toEqual([0, 0, 0, 0, 0])
  })

  it('is not approved by a key of the requester, by a key without the role, nor by one of a sibling', async () => {
    const below = await Counterparties.open(world, setup.party.externalId)
    const { body: transaction } = await below.pay(address)
    const approval = { offchainId: transaction.offchainId }
    const role = { organizationExternalId: below.party.externalId, name: 'own', roles: RIGHTS.roles }
    const { apiKey, keyId } = await below.api.ok<{ apiKey: string; keyId: string }>(
      201,
      'POST',
      '/admin/api-keys',
      role,
    )
    for (const api of [below.api, world.api.as(apiKey)])
      await api.refuses(403, 'REQUESTER_CANNOT_APPROVE', 'POST', APPROVE, approval)
    const filter = [{ fieldName: 'awaitsApprovalBy', filterValues: [{ filterType: 'EQUALS', valueString: keyId }] }]
    expect(await below.api.bulk(TRANSACTIONS, { filter })).toMatchObject({ count: 0 })
    const sibling = await Counterparties.open(world, setup.party.externalId)
    await sibling.approver.api.refuses(400, 'TRANSACTION_NOT_FOUND', 'POST', APPROVE, approval)
    await isSentBy(setup.approver, transaction)
  })

  it('is not signed with the approval of a key that was disabled since', async () => {
    const other = await newApprover()
    const transaction = await request({ source: { ...setup.wallet, autoSign: false } })
    const { offchainId } = transaction
    await setup.approver.api.ok(200, 'POST', APPROVE, { offchainId })
    await disable(setup.approver)
    const sign = (): Promise<Held> =>
      setup.api.ok<Held>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    expect((await sign()).status).toBe('PREPARED')
    await other.api.ok(200, 'POST', APPROVE, { offchainId })
    expect((await sign()).status).toBe('SIGNED')
  })

  it('is not sent with the approval of another counterparty that had the address', async () => {
    const { offchainId } = await request({ source: { ...setup.wallet, autoSign: false } })
    const transaction = { transaction: { offchainId } }
    await setup.approver.api.ok(200, 'POST', APPROVE, { offchainId })
    expect((await setup.api.ok<Held>(200, 'POST', '/transactions/sign', transaction)).status).toBe('SIGNED')
    await setup.change(listing, { addresses: [] })
    const other = await setup.list('REVIEW', address)
    await setup.refuses('POST', '/transactions/submit', transaction)
    await setup.change(other, { addresses: [] })
    await setup.change(listing, { addresses: [{ onchainId: address }], name: 'Another name' })
    expect(await setup.api.ok<Held>(200, 'POST', '/transactions/submit', transaction)).toMatchObject({ success: true })
  })

  it('is refused at once if no key but that of the requester holds the role', async () => {
    await disable(setup.approver)
    await setup.doesNotPay(address)
    await setup.refuses('POST', BATCHES, { operation: 'TRANSFER_NETWORK_CURRENCY', items: [payment()] })
    await setup.rules({ reviewApproval: { approvers: [setup.party.keyId] } })
    await setup.doesNotPay(address)
    await setup.rules({ reviewApproval: null })
    await newApprover()
    await request()
  })

  it('needs another approval once the organization names its approvers, and none of the others counts', async () => {
    const named = await newApprover()
    const { offchainId } = await request({ source: { ...setup.wallet, autoSign: false } })
    await setup.approver.api.ok(200, 'POST', APPROVE, { offchainId })
    await setup.rules({ reviewApproval: { approvers: [named.keyId] } })
    const sign = (): Promise<Held> =>
      setup.api.ok<Held>(200, 'POST', '/transactions/sign', { transaction: { offchainId } })
    expect((await sign()).status).toBe('PREPARED')
    await named.api.ok(200, 'POST', APPROVE, { offchainId })
    expect((await sign()).status).toBe('SIGNED')
  })
})

const payment = (): object => ({
  source: setup.wallet,
  destination: { onchainId: address, offPlatform: true },
  lamports: String(SOL / 10n),
})

describe('a batch with a payment under review', () => {
  it.each(UNRELATED)('is paid with one approval, although %s', async (_, prepare) => {
    const batches = new BatchFixture(setup.api)
    const happens = await prepare()
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', [payment()])
    await happens()
    await batches.approve(id, setup.approver.api)
    await batches.waitForEnd(id)
    expect(await world.chain.lamports(address)).toBe(SOL / 10n)
  })

  it('is approved by a key that received the role later', async () => {
    const batches = new BatchFixture(setup.api)
    const id = await batches.create('TRANSFER_NETWORK_CURRENCY', [payment()])
    const later = await newApprover()
    expect(await awaited(`${BATCHES}/bulk`, setup.approver.keyId)).toBe(1)
    await batches.approve(id, later.api)
    await batches.waitForEnd(id)
    expect(await world.chain.lamports(address)).toBe(SOL / 10n)
  })
})
