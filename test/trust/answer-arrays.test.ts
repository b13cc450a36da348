// A field that is an array in the contract is one in every answer, including nested ones. The fields come from the
// schemas of all endpoints, and are compared with all answers of a service with loans, tables, nonces, feeds and two
// tenants.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/http/routes.ts'
import { BatchFixture } from '../e2e/payouts/batch-fixture.ts'
import type { LoanCreation } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Result } from '../e2e/models.ts'
import { SOL } from '../e2e/records.ts'
import { addressOf } from './fixtures/addresses.ts'
import { arrayFields } from './fixtures/array-fields.ts'
import { everyAnswerTo } from './fixtures/every-answer.ts'
import { LendingTenants } from './fixtures/lending-tenants.ts'

interface Recorded {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Answers of a screening service: test/e2e/limits/screening.test.ts. */
const MET_ELSEWHERE: ReadonlySet<string> = new Set(['screenings'])

const usual = globalThis.fetch
const recordedAnswers: Recorded[] = []
let tenants: LendingTenants

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const { url } = tenants.fixture.world
  globalThis.fetch = async (input, init) => {
    const response = await usual(input, init)
    const address = input instanceof Request ? input.url : String(input)
    if (!address.startsWith(url) || !response.ok) return response
    const text = await response.clone().text()
    if (text.startsWith('{'))
      recordedAnswers.push({ method: init?.method ?? 'GET', path: new URL(address).pathname, body: JSON.parse(text) })
    return response
  }
  const {
    lender,
    borrower,
    cash,
    fixture: { world },
  } = tenants
  const treasury = await tenants.treasury(1_000n)
  await tenants.makesStrategy(treasury, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  const wallet = await tenants.borrowing(borrower, 500n, {
    networkCurrencyDebitLimits: [
      { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 5 } },
    ],
  })
  const { newLoan } = await borrower.admin.api.ok<LoanCreation>(
    201,
    'POST',
    '/loans',
    tenants.loan(treasury, wallet, 100, 300),
  )
  const { api } = lender.admin
  const { feePayer } = lender
  await api.ok(201, 'POST', '/durable-nonce-accounts', { nonceAuthority: feePayer, count: 1 })
  const table = {
    addressLookupTable: {},
    authority: feePayer,
    componentAddresses: [{ onchainId: wallet.onchainId, offPlatform: true }],
  }
  const { newAddressLookupTable } = await api.ok<{ newAddressLookupTable: Ids }>(
    201,
    'POST',
    '/address-lookup-tables',
    table,
  )
  await api.ok(200, 'PATCH', '/address-lookup-tables/extend', {
    addressLookupTable: newAddressLookupTable,
    componentAddresses: [{ onchainId: addressOf('another'), offPlatform: true }],
  })
  await api.ok(201, 'POST', '/webhooks', { url: 'https://receiver.example/hook' })
  const prepared = {
    source: { onchainId: addressOf('outside'), offPlatform: true },
    destination: feePayer,
    lamports: 1,
  }
  const { offchainId } = await api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', prepared, {
    config: { feePayer },
  })
  await api.ok(200, 'PATCH', '/transactions/cancel', { offchainId })
  const approvalLimit = {
    limitType: 'PER_TRANSACTION',
    limitAmount: 0,
    approversForOverride: [lender.admin.keyId],
    requiredApproversCount: 1,
  }
  const limitedWallet = await lender.records.funded({
    networkCurrencyDebitLimits: [{ destination: 'ANY', maxAllowedDebit: approvalLimit }],
  })
  const waitingPayment = {
    source: limitedWallet,
    destination: { onchainId: addressOf('paid outside'), offPlatform: true },
    lamports: 1_000_000,
  }
  await lender.operator.api.ok<Result>(201, 'POST', '/positions/transfer-network-currency', waitingPayment, {
    config: { feePayer },
  })
  await api.read('/accounts/single/private-key', await lender.records.account())
  await tenants.fixture.price(tenants.cashFeed, '1.5')
  await borrower.admin.api.ok(200, 'PATCH', '/loans/repay', {
    defiProtocol: 'ESCROW_VAULT',
    escrow: { offchainId: newLoan.offchainId },
    itemsToRepay: [
      {
        positionLookup: {
          owner: { offchainId: wallet.offchainId },
          financialInstrument: { onchainId: cash.onchainId },
        },
        amount: 1,
      },
    ],
  })
  await makesWhatWaits()
  await world.records.funded({ shareAcrossTenants: true, canPayFees: true }, SOL)
  for (const each of [lender.admin.api, borrower.admin.api, world.api]) await everyAnswerTo(url, each)
})
afterAll(async () => {
  globalThis.fetch = usual
  await tenants.fixture.world.stop()
})

/** A mint under a policy, a payment under review, a distribution, a payment request, a batch. */
async function makesWhatWaits(): Promise<void> {
  const {
    lender: { admin, operator, feePayer, organization, records },
  } = tenants
  const { api, keyId } = admin
  const issuer = await records.account()
  const instrument = await records.instrument('SPL', issuer)
  const position = await records.position(await records.funded({}, SOL), instrument, 5n)
  await api.ok(201, 'POST', '/approval-policies', {
    operations: ['MINT'],
    approvers: [keyId],
    requiredApproversCount: 1,
  })
  await operator.api.ok(
    201,
    'POST',
    '/positions/mint',
    { destination: { position }, lamports: 1 },
    { config: { feePayer } },
  )
  await api.ok(200, 'PATCH', '/admin/organizations', {
    externalId: organization,
    reviewApproval: { approvers: [keyId] },
  })
  const reviewed = { onchainId: addressOf('reviewed') }
  await api.ok(201, 'POST', '/counterparties', { name: 'Reviewed', status: 'REVIEW', addresses: [reviewed] })
  const networkCurrencyDebitLimits = [
    { destination: 'ANY', maxAllowedDebit: { limitType: 'PER_TRANSACTION', limitAmount: 5 } },
  ]
  const source = await records.funded({ networkCurrencyDebitLimits }, SOL)
  const payment = { source, destination: { ...reviewed, offPlatform: true }, lamports: 1_000_000 }
  await operator.api.ok(201, 'POST', '/positions/transfer-network-currency', payment, { config: { feePayer } })
  const recordAt = new Date().toISOString()
  await api.ok(201, 'POST', '/distributions', {
    financialInstrument: instrument,
    recordAt,
    source: { owner: feePayer },
    payout: { total: '0.001' },
  })
  await api.ok(201, 'POST', '/payment-requests', { destination: feePayer, amount: 1, externalReference: 'INV-1' })
  const batches = new BatchFixture(api)
  const payer = await records.funded({}, SOL)
  const item = { source: payer, destination: issuer, lamports: 1_000_000 }
  const items = ['INV-2', 'INV-3'].map((externalReference) => ({ ...item, externalReference }))
  await batches.waitForEnd(await batches.create('TRANSFER_NETWORK_CURRENCY', items))
}

const routeOf = ({ method, path }: Recorded) =>
  routes.find(
    (route) =>
      route.method === method &&
      (route.path === path || route.path.replace('{detail-level}', path.split('/').at(-1) ?? '') === path),
  )

describe('14.15: fields that are arrays', () => {
  it('14.15: are arrays in every answer', () => {
    const wrong = recordedAnswers.flatMap((answer) => {
      const route = routeOf(answer)
      if (route === undefined) return []
      return arrayFields(route.answer, { of: answer.body })
        .filter(({ value }) => !Array.isArray(value))
        .map(({ path, value }) => `${route.path}${path}: ${JSON.stringify(value)}`)
    })
    expect(recordedAnswers.length).toBeGreaterThan(200)
    expect([...new Set(wrong)]).toEqual([])
  })

  it('14.15: all occur in an answer of a read', () => {
    const nameOf = (path: string): string => path.split('/').at(-1) ?? ''
    const met = new Set(
      recordedAnswers.flatMap((answer) => {
        const route = routeOf(answer)
        return route === undefined ? [] : arrayFields(route.answer, { of: answer.body }).map(({ path }) => nameOf(path))
      }),
    )
    const all = routes
      .filter(({ kind }) => kind === 'read')
      .flatMap((route) => arrayFields(route.answer).map(({ path }) => nameOf(path)))
    expect([...new Set(all)].filter((name) => !met.has(name) && !MET_ELSEWHERE.has(name))).toEqual([])
  })
})
