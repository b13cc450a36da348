// A batch that exceeds debit limits as a whole, or that an approval policy covers, waits for one approval of all its
// items. The approval covers exactly these items and their effects.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../src/time/clock.ts'
import { BATCHES, BatchFixture, transactionsOf, type Estimate } from './batch-fixture.ts'
import { Counterparties, newAddress } from './counterparty-setup.ts'
import { eventually, startWorld, unwatched, type World } from '../harness.ts'
import { LimitFixture, PAY, perTransaction, to, within, type Held, type Person } from '../limits/limit-fixture.ts'
import type { Ids } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const MINUTE = 60_000
const UNIT = 1_000_000n

let wallMs = 0
let elapsedMs = 0
const shiftedClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + wallMs,
  elapsed: () => systemClock.elapsed() + elapsedMs,
}

let world: World
let limits: LimitFixture
let fixture: BatchFixture
let records: Records
let organization: string
let operator: Person
let admin: Person
let anna: Person
let ben: Person
let targets: Ids[]

beforeAll(async () => {
  world = await startWorld({}, unwatched, { clock: shiftedClock })
  limits = new LimitFixture(world)
  organization = await limits.organization()
  ;[operator, admin, anna, ben] = await Promise.all([
    limits.person(organization, 'OPERATOR'),
    limits.person(organization, 'ADMIN'),
    limits.person(organization, ['DEBIT_LIMIT_APPROVE']),
    limits.person(organization, ['DEBIT_LIMIT_APPROVE']),
  ])
  fixture = new BatchFixture(operator.api)
  records = world.records.with(admin.api)
  await records.feePayer()
  targets = await Promise.all(Array.from({ length: 4 }, () => records.funded({}, SOL)))
})
afterAll(() => world.stop())

/** With a limit of 0.01 that two of the approvers may override together. */
const createLimited = (entry: (limit: string, more: object) => object = perTransaction, required = 2): Promise<Ids> =>
  records.funded(
    {
      networkCurrencyDebitLimits: [
        to('ANY', entry('0.01', { approversForOverride: [anna.keyId, ben.keyId], requiredApproversCount: required })),
      ],
    },
    20n * SOL,
  )
const pays = (source: object, lamports: (index: number) => bigint = () => 4n * UNIT): object[] =>
  targets.map((destination, index) => ({ source, destination, lamports: lamports(index).toString() }))
const create = (items: readonly object[], more: object = {}): Promise<string> =>
  fixture.create('TRANSFER_NETWORK_CURRENCY', items, more)
const balances = (): Promise<bigint[]> => Promise.all(targets.map(({ onchainId }) => world.chain.lamports(onchainId)))
const refuses = (status: number, code: string, person: Person, offchainId: string, what = 'approve') =>
  person.api.refuses(status, code, 'PATCH', `${BATCHES}/${what}`, { offchainId })

describe('a batch that exceeds a limit as a whole', () => {
  it.each([
    ['of one transaction', perTransaction],
    ['of a day', (limit: string, more: object) => within(limit, 'DAYS', 1, more)],
  ])('%s waits for the required number of persons, and then executes each item once', async (_, entry) => {
    const source = await createLimited(entry)
    const before = await balances()
    const id = await create(pays(source))
    expect(await fixture.single(id)).toMatchObject({
      status: 'PREPARED',
      waitingCount: 4,
      approval: { required: 2, given: 0 },
    })
    await refuses(403, 'NOT_AN_APPROVER', admin, id)
    await fixture.approve(id, anna.api)
    await refuses(400, 'ALREADY_APPROVED', anna, id)
    expect(await fixture.single(id)).toMatchObject({ status: 'PREPARED', approval: { required: 2, given: 1 } })
    expect(await balances()).toEqual(before)
    await fixture.approve(id, ben.api)
    await fixture.waitForEnd(id)
    expect(await balances()).toEqual(before.map((each) => each + 4n * UNIT))
    await refuses(400, 'ALREADY_APPROVED', anna, id)
    await refuses(400, 'NOT_WAITING_FOR_APPROVAL', anna, id, 'reject')
    await records.accountsEqualChain(source)
  })

  it('starts when the last two approvals arrive together', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await create(pays(await createLimited()))
      await Promise.all([anna, ben].map(({ api }) => fixture.approve(id, api)))
      await fixture.waitForEnd(id)
      expect(await fixture.single(id)).toMatchObject({ status: 'DONE', doneCount: 4 })
    }
  })

  it('cannot be approved by the key that requested it, nor by a key of another tenant', async () => {
    const source = await records.funded(
      {
        networkCurrencyDebitLimits: [
          to('ANY', perTransaction('0.01', { approversForOverride: [anna.keyId, admin.keyId] })),
        ],
      },
      20n * SOL,
    )
    const own = new BatchFixture(admin.api)
    const id = await own.create('TRANSFER_NETWORK_CURRENCY', pays(source))
    await refuses(403, 'REQUESTER_CANNOT_APPROVE', admin, id)
    const stranger = await limits.person(await limits.organization(), 'ADMIN')
    await refuses(400, 'BATCH_NOT_FOUND', stranger, id)
    await refuses(400, 'BATCH_NOT_FOUND', stranger, id, 'reject')
    await own.cancel(id)
    expect((await own.single(id)).status).toBe('CANCELLED')
  })

  it('is refused at once if it has no approvers; a dry run has the verdict', async () => {
    const source = await records.funded({ networkCurrencyDebitLimits: [to('ANY', perTransaction('0.01'))] }, 20n * SOL)
    const batch = { operation: 'TRANSFER_NETWORK_CURRENCY', items: pays(source) }
    await operator.api.refuses(400, 'DEBIT_LIMIT_EXCEEDED', 'POST', BATCHES, batch)
    const headers = { 'Holdfast-Dry-Run': 'true' }
    const { dryRun } = await operator.api.ok<Estimate>(200, 'POST', BATCHES, batch, { headers })
    expect(dryRun.limits.map(({ verdict }) => verdict)).toEqual(['EXCEEDED'])
  })

  it('is rejected by an approver: no item is executed, and none is retried', async () => {
    const source = await createLimited()
    const before = await balances()
    const id = await create(pays(source))
    await refuses(403, 'NOT_AN_APPROVER', admin, id, 'reject')
    await anna.api.ok(200, 'PATCH', `${BATCHES}/reject`, { offchainId: id })
    const items = await fixture.waitForEnd(id, 'CANCELLED')
    expect(items.map(({ cancelledBecause }) => cancelledBecause)).toEqual(items.map(() => 'REJECTED'))
    await refuses(400, 'NOT_WAITING_FOR_APPROVAL', ben, id)
    await operator.api.refuses(400, 'NOTHING_TO_RETRY', 'PATCH', `${BATCHES}/retry`, { offchainId: id })
    expect(await balances()).toEqual(before)
  })

  it('prevents its requester from changing the limits during the wait', async () => {
    const source = await createLimited()
    const own = new BatchFixture(admin.api)
    const id = await own.create('TRANSFER_NETWORK_CURRENCY', pays(source))
    const change = { account: source, networkCurrencyDebitLimits: [] }
    await admin.api.refuses(403, 'OWN_DEBIT_WAITING', 'PATCH', '/accounts', change)
    await anna.api.ok(200, 'PATCH', `${BATCHES}/reject`, { offchainId: id })
    await eventually(async () => expect((await own.single(id)).status).toBe('CANCELLED'))
    await admin.api.ok(200, 'PATCH', '/accounts', change)
  })
})

describe('the endpoints of transactions, which take the id of a batch', () => {
  const APPROVE = ['POST', '/transactions/approve'] as const
  const CANCEL = ['PATCH', '/transactions/cancel'] as const
  const withoutTransaction = { onchainId: null, confirmationsCount: null, serializedMessage: null }

  it('approve it as the endpoint of batches does, and replay the answer as the batch is now', async () => {
    const before = await balances()
    const id = await create(pays(await createLimited()))
    const body = { offchainId: id }
    await admin.api.refuses(403, 'NOT_AN_APPROVER', ...APPROVE, body)
    await operator.api.refuses(403, 'ROLE_REQUIRED', ...APPROVE, body)
    const headers = { 'Idempotency-Key': id }
    const held = await anna.api.ok<object>(200, ...APPROVE, body, { headers })
    expect(held).toMatchObject({
      ...withoutTransaction,
      success: false,
      offchainId: id,
      status: 'PREPARED',
      approval: { required: 2, given: 1 },
      approvedBatch: { offchainId: id },
    })
    await anna.api.refuses(400, 'ALREADY_APPROVED', ...APPROVE, body)
    expect(await ben.api.ok(200, ...APPROVE, body)).toMatchObject({ success: true, offchainId: id })
    await fixture.waitForEnd(id)
    expect(await anna.api.ok(200, ...APPROVE, body, { headers })).toMatchObject({ success: true, status: 'DONE' })
    expect(await balances()).toEqual(before.map((each) => each + 4n * UNIT))
    const { items } = (await admin.api.bulk('/audit/bulk', { limit: 1000 })) as {
      items: { action: string; keyId: string; outcome: string; resource: object }[]
    }
    const resource = { kind: 'batch', offchainId: id }
    expect(items.filter(({ action }) => action.endsWith('/transactions/approve')).reverse()).toMatchObject([
      { keyId: admin.keyId, outcome: 'REFUSED' },
      { keyId: operator.keyId, outcome: 'REFUSED' },
      { keyId: anna.keyId, outcome: 'DONE', resource },
      { keyId: ben.keyId, outcome: 'DONE', resource },
    ])
  })

  it('cancel it: its organization all that waits, an approver only what waits for approval', async () => {
    const source = await createLimited()
    const rejected = await create(pays(source))
    expect(await anna.api.ok(200, ...CANCEL, { offchainId: rejected })).toMatchObject({
      ...withoutTransaction,
      offchainId: rejected,
      success: false,
      rejectedBatch: { offchainId: rejected },
    })
    const items = await fixture.waitForEnd(rejected, 'CANCELLED')
    expect(items.map(({ cancelledBecause }) => cancelledBecause)).toEqual(items.map(() => 'REJECTED'))
    const cancelled = await create(pays(source))
    expect(await operator.api.ok(200, ...CANCEL, { offchainId: cancelled })).toMatchObject({
      offchainId: cancelled,
      success: false,
      cancelledBatch: { offchainId: cancelled },
    })
    await fixture.waitForEnd(cancelled, 'CANCELLED')
    await operator.api.refuses(400, 'BATCH_ENDED', ...CANCEL, { offchainId: cancelled })
    await anna.api.refuses(400, 'NOT_WAITING_FOR_APPROVAL', ...APPROVE, { offchainId: cancelled })
    const noPayer = await limits.person(organization, ['TRANSACTIONS_WRITE'])
    const kept = await create(pays(source))
    await noPayer.api.refuses(403, 'ROLE_REQUIRED', ...CANCEL, { offchainId: kept })
    await fixture.cancel(kept)
  })

  it('answer a batch of another organization or tenant as one that does not exist', async () => {
    const id = await create(pays(await createLimited()))
    const below = `ORG-${id}`
    await world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: below,
      parentExternalId: organization,
    })
    const strangers = await Promise.all([
      limits.person(await limits.organization(), 'ADMIN'),
      limits.person(below, 'ADMIN'),
    ])
    for (const { api } of strangers)
      for (const offchainId of [id, crypto.randomUUID()])
        for (const [method, path] of [APPROVE, CANCEL])
          await api.refuses(400, 'TRANSACTION_NOT_FOUND', method, path, { offchainId })
    await fixture.cancel(id)
  })
})

describe('an approval', () => {
  it('covers the items of the batch, and no other payment of the account', async () => {
    const source = await createLimited(perTransaction, 1)
    const id = await create(pays(source, (index) => BigInt(index + 1) * 20n * UNIT))
    await fixture.approve(id, anna.api)
    const transaction = await operator.api.ok<Held>(201, 'POST', PAY, {
      source,
      destination: targets[0],
      lamports: (11n * UNIT).toString(),
    })
    expect(transaction.status).toBe('PREPARED')
    await fixture.waitForEnd(id)
    const next = await create(pays(source))
    expect((await fixture.single(next)).status).toBe('PREPARED')
    await fixture.cancel(next)
    await operator.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: transaction.offchainId })
  })

  it('does not cover an item whose destination resolves to another account since', async () => {
    const source = await createLimited(perTransaction, 1)
    const offchainReferences = { code: 'PAYEE', type: 'WALLET' }
    const payee = await records.account({ offchainReferences })
    const before = await balances()
    const id = await create([
      ...pays(source),
      { source, destination: { offchainReferences }, lamports: (4n * UNIT).toString() },
    ])
    await admin.api.ok(200, 'PATCH', '/accounts/inactivate', { account: payee })
    const other = await records.account({ offchainReferences })
    await fixture.approve(id, anna.api)
    const items = await fixture.waitForEnd(id, 'FAILED')
    expect(items.map(({ status, errorCode }) => errorCode ?? status)).toEqual([
      ...targets.map(() => 'DONE'),
      'APPROVED_OTHERWISE',
    ])
    expect(await balances()).toEqual(before.map((each) => each + 4n * UNIT))
    expect(await world.chain.lamports(other.onchainId)).toBe(0n)
  })

  it('does not count once its key is disabled', async () => {
    const carl = await limits.person(organization, ['DEBIT_LIMIT_APPROVE'])
    const source = await records.funded(
      {
        networkCurrencyDebitLimits: [
          to(
            'ANY',
            perTransaction('0.01', {
              approversForOverride: [carl.keyId, anna.keyId, ben.keyId],
              requiredApproversCount: 2,
            }),
          ),
        ],
      },
      20n * SOL,
    )
    const id = await create(pays(source))
    await fixture.approve(id, carl.api)
    await admin.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: carl.keyId })
    await fixture.approve(id, anna.api)
    expect((await fixture.single(id)).status).toBe('PREPARED')
    await fixture.approve(id, ben.api)
    await fixture.waitForEnd(id)
  })

  it('is required by a policy for all items together', async () => {
    const issuer = await records.account()
    const ids = await records.instrument('SPL', issuer, { onchainData: { decimals: 0 } })
    const position = await records.position(await records.account(), ids)
    await admin.api.ok(201, 'POST', '/approval-policies', {
      operations: ['MINT'],
      financialInstrument: ids,
      above: 100,
      approvers: [anna.keyId, ben.keyId],
      requiredApproversCount: 2,
    })
    const mint = (lamports: number): object => ({ destination: { position }, lamports })
    await fixture.waitForEnd(await fixture.create('MINT', [mint(50), mint(50)]))
    const id = await fixture.create('MINT', [mint(50), mint(50), mint(1)])
    expect((await fixture.single(id)).status).toBe('PREPARED')
    await fixture.approve(id, anna.api)
    await fixture.approve(id, ben.api)
    await fixture.waitForEnd(id)
    expect(await world.chain.supply(ids.onchainId)).toBe(201n)
  })

  it('expires if it is not given in time', async () => {
    const source = await createLimited()
    const before = await balances()
    const id = await create(pays(source))
    wallMs += 121 * MINUTE
    elapsedMs += 121 * MINUTE
    await eventually(async () => expect((await fixture.single(id)).status).toBe('CANCELLED'))
    expect((await fixture.items(id)).map(({ cancelledBecause }) => cancelledBecause)).toEqual(
      targets.map(() => 'LAPSED'),
    )
    await refuses(400, 'NOT_WAITING_FOR_APPROVAL', anna, id)
    expect(await balances()).toEqual(before)
  })
})

describe('a batch that pays counterparties under review', () => {
  let review: Counterparties
  let batches: BatchFixture
  let addresses: string[]
  const OPERATION = 'TRANSFER_NETWORK_CURRENCY'
  const payments = (): object[] =>
    addresses.map((onchainId) => ({
      source: review.wallet,
      destination: { onchainId, offPlatform: true },
      lamports: (SOL / 10n).toString(),
    }))
  const readBalances = (): Promise<bigint[]> => Promise.all(addresses.map((each) => world.chain.lamports(each)))

  beforeEach(async () => {
    review = await Counterparties.open(world)
    batches = new BatchFixture(review.api)
    addresses = [newAddress(), newAddress()]
  })

  it('waits for one approval of all of them', async () => {
    for (const address of addresses) await review.list('REVIEW', address)
    const id = await batches.create(OPERATION, payments())
    const batch = await batches.single(id)
    expect(batch).toMatchObject({ status: 'PREPARED', waitingCount: 2, approval: { required: 1, given: 0 } })
    expect(batch.approval).toMatchObject({ reviews: addresses.map((onchainId) => ({ onchainId })) })
    await review.api.refuses(403, 'REQUESTER_CANNOT_APPROVE', 'PATCH', `${BATCHES}/approve`, { offchainId: id })
    expect(await readBalances()).toEqual([0n, 0n])
    await batches.approve(id, review.approver.api)
    await batches.waitForEnd(id)
    expect(await readBalances()).toEqual([SOL / 10n, SOL / 10n])
  })

  it('does not cover a counterparty that came under review later, nor one that was blocked', async () => {
    await review.reviewedByApprover()
    const [first, second] = addresses as [string, string]
    const listing = await review.list('REVIEW', first)
    const id = await batches.create(OPERATION, payments())
    await review.list('REVIEW', second)
    await batches.approve(id, review.approver.api)
    const [transaction] = await eventually(async () => {
      const transactions = transactionsOf(await batches.items(id))
      expect(transactions).toHaveLength(1)
      return transactions
    })
    expect(await readBalances()).toEqual([0n, 0n])
    await review.change(listing, { status: 'BLOCKED' })
    await review.approver.api.refuses(403, 'DESTINATION_NOT_ALLOWED', 'POST', '/transactions/approve', {
      offchainId: transaction,
    })
    expect(await readBalances()).toEqual([0n, 0n])
  })
})
