// Approvals over HTTP: who can approve a debit over a limit, what the approval covers, and that no key exceeds a limit
// on its own.
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/time/clock.ts'
import { TOLERATED_MS } from '../../../src/time/service-clock.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import {
  LimitFixture,
  PAY,
  perTransaction,
  stranger,
  to,
  within,
  type Held,
  type LimitEntry,
  type Person,
} from './limit-fixture.ts'
import type { Ids, Problems } from '../models.ts'
import { SOL, type Records } from '../records.ts'

const APPROVE = '/transactions/approve'
const MINUTE_MS = 60_000

const time = { aheadMs: 0 }
let world: World
let fixture: LimitFixture
let organization: string
/** The requester of payments; two approvers; the administrator of limits. */
let clerk: Person
let anna: Person
let bert: Person
let officer: Person
let records: Records
let wallet: Ids

beforeAll(async () => {
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + time.aheadMs,
    elapsed: () => systemClock.elapsed() + time.aheadMs,
  }
  world = await startWorld({}, undefined, { clock })
  fixture = new LimitFixture(world)
  organization = await fixture.organization()
  clerk = await fixture.person(organization, 'OPERATOR')
  officer = await fixture.person(organization, 'ADMIN')
  ;[anna, bert] = (await Promise.all([0, 1].map(() => fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])))) as [
    Person,
    Person,
  ]
  records = world.records.with(officer.api)
  await records.feePayer()
})
afterAll(() => world.stop())

beforeEach(async () => {
  wallet = await createLimited([
    to('ANY', perTransaction(1, { approversForOverride: [anna.keyId, bert.keyId], requiredApproversCount: 2 })),
  ])
})

const createLimited = (networkCurrencyDebitLimits: object[]): Promise<Ids> =>
  records.funded({ canPayFees: true, networkCurrencyDebitLimits }, 20n * SOL)
const requestPayment = (lamports = 2n * SOL, destination: object = stranger()): Promise<Held> =>
  fixture.pay(wallet, destination, lamports, {}, clerk.api)
const approve = (person: Person, { offchainId }: { offchainId: string }) =>
  person.api.send<Held & Problems>('POST', APPROVE, { offchainId })
const expectApproval = async (person: Person, transaction: Held): Promise<Held> => {
  const { status, body } = await approve(person, transaction)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const code = async (answer: Promise<{ status: number; body: Problems }>) => {
  const { status, body } = await answer
  return [status, body.errors?.[0]?.code]
}

describe('a debit over a limit that others may lift', () => {
  it('waits unsigned and without a reservation until enough approvers have approved it, and is then sent', async () => {
    const destination = Keypair.generate().publicKey.toBase58()
    const transaction = await requestPayment(2n * SOL, { onchainId: destination, offPlatform: true })
    expect(transaction).toMatchObject({ success: false, status: 'PREPARED', approval: { required: 2, given: 0 } })
    expect(transaction).not.toHaveProperty('errors')
    expect(transaction.approval?.entries.map(({ destination: to, debit, verdict }) => [to, debit, verdict])).toEqual([
      ['ANY', 2, 'EXCEEDED'],
    ])
    const remainingMs = Date.parse(transaction.approval?.expiresAt ?? '') - Date.now()
    expect(remainingMs).toBeGreaterThan(7_000_000)
    // The clock of the service is monotonic: the clock of the machine may have been corrected by then.
    expect(remainingMs).toBeLessThan(7_200_000 + TOLERATED_MS)
    const balance = await clerk.api.read<{ reserved: { lamports: number } }>('/accounts/single/balance', {
      offchainId: wallet.offchainId,
    })
    expect(balance.reserved.lamports).toBe(0)
    expect(await expectApproval(anna, transaction)).toMatchObject({
      status: 'PREPARED',
      approval: { required: 2, given: 1 },
    })
    const result = await expectApproval(bert, transaction)
    expect(result).toMatchObject({ success: true, approval: { required: 2, given: 2 } })
    expect(result.status).toMatch(/CONFIRMED|FINALIZED/)
    expect(await world.chain.lamports(destination)).toBe(2n * SOL)
  })

  it('is refused if a limit has no approvers', async () => {
    wallet = await createLimited([
      to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] })),
      to('OFF_PLATFORM', within(1, 'DAYS')),
    ])
    await fixture.refuses(PAY, { source: wallet, destination: stranger(), amount: 2 }, {}, clerk.api)
    expect((await requestPayment(2n * SOL, await records.account())).approval?.required).toBe(1)
  })

  it('needs an approver of every limit, and one key may approve for several limits', async () => {
    wallet = await createLimited([
      to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] })),
      to(
        'OFF_PLATFORM',
        perTransaction(1, { approversForOverride: [anna.keyId, bert.keyId], requiredApproversCount: 1 }),
      ),
    ])
    const first = await requestPayment()
    expect(first.approval?.required).toBe(1)
    expect((await expectApproval(anna, first)).success).toBe(true)
    const second = await requestPayment()
    expect((await expectApproval(bert, second)).status).toBe('PREPARED')
    expect((await expectApproval(anna, second)).success).toBe(true)
  })

  it('counts toward the limits once approved', async () => {
    const approvers = { approversForOverride: [anna.keyId], requiredApproversCount: 1 }
    wallet = await createLimited([to('ANY', within(1, 'DAYS', 1, approvers))])
    expect((await expectApproval(anna, await requestPayment())).success).toBe(true)
    const more = await requestPayment(SOL / 100n)
    expect(more.approval?.entries.map(({ used, debit }: LimitEntry) => [used, debit])).toEqual([[2, 0.01]])
  })

  it('may be cancelled by its approvers, and by no other organization', async () => {
    const transaction = await requestPayment()
    const somebody = await fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])
    const cancel = (person: Person) =>
      person.api.send<Held & Problems>('PATCH', '/transactions/cancel', {
        offchainId: transaction.offchainId,
      })
    expect((await cancel(somebody)).status).toBe(403)
    expect((await cancel(anna)).body.status).toBe('CANCELLED')
    expect(await code(approve(bert, transaction))).toEqual([400, 'ENDED'])
  })

  it('cannot be signed in another way', async () => {
    const transaction = await requestPayment()
    const sign = await clerk.api.send<Held & Problems>('POST', '/transactions/sign', {
      transaction: { offchainId: transaction.offchainId },
    })
    expect(sign.body).toMatchObject({ status: 'PREPARED', success: false })
    const request = { transaction: { offchainId: transaction.offchainId }, signers: [wallet], returnSerialized: true }
    expect((await clerk.api.send<Held>('POST', '/transactions/sign', request)).body.status).toBe('PREPARED')
    expect(
      await code(
        clerk.api.send('POST', '/transactions/submit', { transaction: { offchainId: transaction.offchainId } }),
      ),
    ).toEqual([400, 'NOT_SIGNED'])
    const serializedTransaction = Buffer.from([
      2,
      ...new Uint8Array(128),
      ...Buffer.from(transaction.serializedMessage, 'base64'),
    ]).toString('base64')
    expect((await clerk.api.send<Held>('POST', '/transactions/sign', { serializedTransaction })).body.status).toBe(
      'PREPARED',
    )
    expect((await expectApproval(anna, transaction)).status).toBe('PREPARED')
  })
})

describe('no key exceeds a limit on its own', () => {
  it('an approval is given once, by another key, and only by the named approvers', async () => {
    wallet = await createLimited([
      to(
        'ANY',
        perTransaction(1, { approversForOverride: [anna.keyId, bert.keyId, officer.keyId], requiredApproversCount: 2 }),
      ),
    ])
    const own = await fixture.pay(wallet, stranger(), 2n * SOL, {}, officer.api)
    expect(await code(approve(officer, own))).toEqual([403, 'REQUESTER_CANNOT_APPROVE'])
    expect(await code(approve(await fixture.person(organization, ['DEBIT_LIMIT_APPROVE']), own))).toEqual([
      403,
      'NOT_AN_APPROVER',
    ])
    expect(await code(approve(clerk, own))).toEqual([403, 'ROLE_REQUIRED'])
    const other = await fixture.person(await fixture.organization(), 'ADMIN')
    expect(await code(approve(other, own))).toEqual([400, 'TRANSACTION_NOT_FOUND'])
    await expectApproval(anna, own)
    expect(await code(approve(anna, own))).toEqual([400, 'ALREADY_APPROVED'])
    expect((await expectApproval(bert, own)).success).toBe(true)
    expect(await code(approve(bert, own))).toEqual([400, 'ALREADY_APPROVED'])
    expect(await code(approve(anna, own))).toEqual([400, 'ALREADY_APPROVED'])
    const within = await fixture.pay(wallet, stranger(), SOL, {}, officer.api)
    expect(await code(approve(anna, within))).toEqual([400, 'NOT_WAITING_FOR_APPROVAL'])
  })

  it('a key rotated by another key cannot approve for a day, and its earlier approvals do not count', async () => {
    const [one, two] = (await Promise.all([0, 1].map(() => fixture.person(organization, ['DEBIT_LIMIT_APPROVE'])))) as [
      Person,
      Person,
    ]
    wallet = await createLimited([
      to(
        'ANY',
        perTransaction(1, { approversForOverride: [one.keyId, two.keyId, anna.keyId], requiredApproversCount: 2 }),
      ),
    ])
    const transaction = await requestPayment()
    await expectApproval(one, transaction)
    const { apiKey } = await officer.api.ok<{ apiKey: string }>(200, 'PATCH', '/admin/api-keys/rotate', {
      keyId: two.keyId,
    })
    expect(await code(approve({ ...two, api: world.api.as(apiKey) }, transaction))).toEqual([
      403,
      'APPROVALS_SUSPENDED',
    ])
    await officer.api.ok(200, 'PATCH', '/admin/api-keys/rotate', { keyId: one.keyId })
    expect((await expectApproval(anna, transaction)).status).toBe('PREPARED')
  })

  it('neither the requester of a waiting debit nor a key created since can change the limits', async () => {
    const transaction = await fixture.pay(wallet, stranger(), 2n * SOL, {}, officer.api)
    const raise = (person: Person) =>
      person.api.send<Problems>('PATCH', '/accounts', { account: wallet, networkCurrencyDebitLimits: [] })
    expect(await code(raise(officer))).toEqual([403, 'OWN_DEBIT_WAITING'])
    const body = { organizationExternalId: organization, name: 'another me', bundle: 'ADMIN' }
    const another = await officer.api.ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', body)
    expect(await code(raise({ ...another, api: world.api.as(another.apiKey) }))).toEqual([403, 'OWN_DEBIT_WAITING'])
    const third = await world.api
      .as(another.apiKey)
      .ok<{ keyId: string; apiKey: string }>(201, 'POST', '/admin/api-keys', body)
    expect(await code(raise({ ...third, api: world.api.as(third.apiKey) }))).toEqual([403, 'OWN_DEBIT_WAITING'])
    const colleague = await fixture.person(organization, 'ADMIN')
    const { apiKey } = await officer.api.ok<{ apiKey: string }>(200, 'PATCH', '/admin/api-keys/rotate', {
      keyId: colleague.keyId,
    })
    expect(await code(raise({ ...colleague, api: world.api.as(apiKey) }))).toEqual([403, 'OWN_DEBIT_WAITING'])
    expect(await code(raise(clerk))).toEqual([403, 'ROLE_REQUIRED'])
    await officer.api.ok(200, 'PATCH', '/accounts', { account: wallet, comments: 'no policy' })
    await anna.api.ok(200, 'PATCH', '/transactions/cancel', { offchainId: transaction.offchainId })
    expect((await raise(officer)).status).toBe(200)
  })

  it('an approval does not cover a limit that was exceeded since', async () => {
    const open = [to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] }))]
    wallet = await createLimited(open)
    const transaction = await requestPayment()
    await officer.api.ok(200, 'PATCH', '/accounts', {
      account: wallet,
      networkCurrencyDebitLimits: [...open, to('OFF_PLATFORM', within(1, 'DAYS'))],
    })
    expect(await code(approve(anna, transaction))).toEqual([400, 'DEBIT_LIMIT_EXCEEDED'])
    expect(
      (await clerk.api.read<Held>('/transactions/status', { offchainId: transaction.offchainId })).approval?.given,
    ).toBe(0)
  })

  it('an approval covers only the limits shown to the approver: a newly exceeded limit is approved again', async () => {
    const lifted = { approversForOverride: [anna.keyId] }
    wallet = await createLimited([
      to('ANY', perTransaction(2, lifted)),
      to('ANY', within(4, 'DAYS', 1, { approversForOverride: [anna.keyId, bert.keyId] })),
    ])
    const transaction = await requestPayment(3n * SOL)
    expect(transaction.approval?.entries).toHaveLength(1)
    // A second payment waits at the same time, and is approved first.
    const first = await requestPayment(3n * SOL)
    await expectApproval(anna, first)
    const further = await expectApproval(anna, transaction)
    expect(further).toMatchObject({
      status: 'PREPARED',
      success: false,
      approval: { given: 0, expiresAt: transaction.approval?.expiresAt },
    })
    expect(further.approval?.entries.map(({ maxAllowedDebit: { limitAmount }, used }) => [limitAmount, used])).toEqual([
      [2, 0],
      [4, 3],
    ])
    // Bert is no approver of the first limit: both limits are approved now.
    const result = await expectApproval(bert, further)
    expect(result).toMatchObject({ success: true, status: expect.stringMatching(/^(CONFIRMED|FINALIZED)$/) as string })

    const nextPayment = await requestPayment(3n * SOL)
    expect(nextPayment.approval?.entries).toHaveLength(2)
    expect((await expectApproval(anna, nextPayment)).success).toBe(true)
  })

  it('a debit requested by a key that has expired or was disabled since is not sent', async () => {
    const expiresAt = new Date(Date.now() + time.aheadMs + 10 * MINUTE_MS).toISOString()
    const body = { organizationExternalId: organization, name: 'for a moment', bundle: 'OPERATOR', expiresAt }
    const { apiKey } = await officer.api.ok<{ apiKey: string }>(201, 'POST', '/admin/api-keys', body)
    const brief = world.api.as(apiKey)
    const leaver = await fixture.person(organization, 'OPERATOR')
    wallet = await createLimited([to('ANY', perTransaction(1, { approversForOverride: [anna.keyId] }))])
    const transaction = await fixture.pay(wallet, stranger(), 2n * SOL, {}, brief)
    const other = await fixture.pay(wallet, stranger(), 2n * SOL, {}, leaver.api)
    await officer.api.ok(200, 'PATCH', '/admin/api-keys/disable', { keyId: leaver.keyId })
    expect(await code(approve(anna, other))).toEqual([400, 'REQUESTER_DISABLED'])
    expect((await brief.send('POST', '/transactions/status', { offchainId: transaction.offchainId })).status).toBe(200)
    time.aheadMs += 11 * MINUTE_MS
    expect((await brief.send('POST', '/transactions/status', { offchainId: transaction.offchainId })).status).toBe(401)
    expect(await code(approve(anna, transaction))).toEqual([400, 'REQUESTER_EXPIRED'])
    expect(await clerk.api.read<Held>('/transactions/status', { offchainId: transaction.offchainId })).toMatchObject({
      status: 'PREPARED',
      approval: { given: 0 },
    })
  })

  it('a limit with fewer approvers than required is refused', async () => {
    const entry = to('ANY', perTransaction(1, { approversForOverride: [anna.keyId], requiredApproversCount: 2 }))
    const { status, body } = await clerk.api.send<Problems>('POST', '/accounts', {
      networkCurrencyDebitLimits: [entry],
    })
    const pointer = '/itemData/networkCurrencyDebitLimits/0/maxAllowedDebit/requiredApproversCount'
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
  })
})

it('a message that expired during the wait is rebuilt with the same instructions', async () => {
  const transaction = await requestPayment()
  const message = transaction.serializedMessage
  const { recentBlockhash } = await record(transaction)
  await eventually(async () =>
    expect((await world.chain.connection.isBlockhashValid(recentBlockhash)).value).toBe(false),
  )
  await expectApproval(anna, transaction)
  const result = await expectApproval(bert, transaction)
  expect(result.success, JSON.stringify(result)).toBe(true)
  expect(result.serializedMessage).not.toBe(message)
})

it('a transaction made elsewhere waits for approval too, is then signed, and is sent on request', async () => {
  const destination = Keypair.generate().publicKey
  const transfer = SystemProgram.transfer({
    fromPubkey: new PublicKey(wallet.onchainId),
    toPubkey: destination,
    lamports: Number(2n * SOL),
  })
  const serializedTransaction = await fixture.foreign(wallet.onchainId, [transfer])
  const transaction = await clerk.api.ok<Held>(200, 'POST', '/transactions/sign', { serializedTransaction })
  expect(transaction).toMatchObject({ status: 'PREPARED', approval: { required: 2, given: 0 } })
  await expectApproval(anna, transaction)
  expect((await expectApproval(bert, transaction)).status).toBe('SIGNED')
  const result = await clerk.api.ok<Held>(200, 'POST', '/transactions/submit', {
    transaction: { offchainId: transaction.offchainId },
  })
  expect(result.success).toBe(true)
  expect(await world.chain.lamports(destination.toBase58())).toBe(2n * SOL)
})

const record = (transaction: Held) =>
  clerk.api.read<{ recentBlockhash: string }>('/transactions/single', { offchainId: transaction.offchainId })
