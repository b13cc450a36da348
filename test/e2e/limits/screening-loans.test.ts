// Screening of loans: the movements of a loan are screened when they are signed, in both directions, for its whole
// life.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  bond,
  bondFeed,
  cash,
  item,
  lend,
  readLoan,
  UNIT,
  vault,
  wallet,
  buildLoanRequest,
  withLendingVault,
  fixture,
} from '../loans/lending-vault.ts'
import { terms, type LoanCreation } from '../loans/loan-fixture.ts'
import type { Ids } from '../models.ts'
import { allows, says, Screener, SECRET, type Movement } from './screener.ts'

interface TokenMovement extends Movement {
  readonly financialInstrument?: string
  readonly amount?: string
}

let screener: Screener

// Hooks run in the order of their registration: the service may call the screener as soon as it starts.
beforeAll(async () => {
  screener = await Screener.start()
})
withLendingVault(() => ({ HOLDFAST_OUTBOUND_ALLOW: screener.host }))
afterAll(() => screener.stop())

const screened = (screening: object | null) =>
  fixture.world.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'SYSTEM', screening })
beforeEach(async () => {
  await screened({ url: screener.url, secret: SECRET, timeoutMs: 10_000 })
  screener.behave = allows
  screener.asked.length = 0
})
afterEach(() => screened(null))

const denied = (method: 'POST' | 'PATCH', path: string, body: object) => {
  screener.behave = says({ decision: 'DENY', reason: 'no loans' })
  return fixture.world.api.refuses(403, 'SCREENING_DENIED', method, path, body)
}
const readBalance = async (owner: Ids, instrument: Ids, version: 'SPL' | 'TOKEN_2022'): Promise<bigint> => {
  const address = fixture.world.records.associated(owner, instrument, version)
  return (await fixture.world.chain.exists(address)) ? await fixture.world.chain.tokens(address) : 0n
}
const holdings = () => Promise.all([readBalance(vault, cash, 'SPL'), readBalance(wallet, bond, 'TOKEN_2022')])
/** The amounts of an instrument in screening requests, each with its payers. */
const readScreened = (instrument: Ids): readonly (readonly [string, bigint])[] =>
  screener.asked
    .flatMap(({ movements }) => movements as readonly TokenMovement[])
    .filter(({ financialInstrument }) => financialInstrument === instrument.onchainId)
    .map(({ payers, amount }) => [payers.join(), BigInt(amount ?? '0')])

it('screens the principal and the collateral of a loan, and does not originate a denied one', async () => {
  const before = await holdings()
  await denied('POST', '/loans', buildLoanRequest())
  expect(await holdings()).toEqual(before)

  screener.behave = allows
  screener.asked.length = 0
  await lend()
  expect(await holdings()).toEqual([before[0] - 100n * UNIT, before[1] - 300n * UNIT])
  expect(readScreened(cash)).toContainEqual([vault.onchainId, 100n * UNIT])
  expect(readScreened(bond)).toContainEqual([wallet.onchainId, 300n * UNIT])
})

it('screens repayments, deposits, withdrawals and releases, and makes no denied change', async () => {
  const { newLoan: escrow } = await lend()
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  const changes = [
    ['/loans/repay', { itemsToRepay: [item(cash, 10)] }, cash, 10n],
    ['/loans/swap-collateral', { itemsToDeposit: [item(bond, 20)] }, bond, 20n],
    ['/loans/swap-collateral', { itemsToWithdraw: [item(bond, 30)] }, bond, 30n],
    ['/loans/repay', { itemsToRelease: [item(bond, 40)] }, bond, 40n],
    ['/loans/repay', { itemsToRepay: [{ positionLookup: item(cash, 0).positionLookup, repayAll: true }] }, cash, 90n],
  ] as const
  for (const [path, members, instrument, units] of changes) {
    const before = await holdings()
    const body = { ...loan, ...members }
    await denied('PATCH', path, body)
    expect(await holdings()).toEqual(before)
    screener.behave = allows
    screener.asked.length = 0
    const { chainTransaction } = await fixture.world.api.ok<Pick<LoanCreation, 'chainTransaction'>>(
      200,
      'PATCH',
      path,
      body,
    )
    expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
    // Interest is repaid with the rest: it accrues for seconds, and is less than a unit.
    const amounts = readScreened(instrument).map(([, amount]) => amount / UNIT)
    expect({ path, members, amounts }).toEqual({ path, members, amounts: [units] })
  }
  expect(await readLoan(escrow)).toMatchObject({ lifecycleState: 'REPAID' })
  const rest = { ...loan, itemsToRelease: [item(bond, 250)] }
  await fixture.world.api.ok(200, 'PATCH', '/loans/repay', rest)
  await denied('PATCH', '/loans/close', loan)
  expect(await fixture.world.chain.exists(fixture.world.records.associated(escrow, bond, 'TOKEN_2022'))).toBe(true)
})

it('screens the payment of a new lender in a refinancing, and keeps the lender if it is denied', async () => {
  const { newLoan: escrow } = await lend()
  const second = await fixture.world.records.account()
  await fixture.world.records.position(second, cash, 1_000n * UNIT)
  await fixture.world.api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: second,
    financialInstrument: cash,
    originationsEnabled: true,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
  })
  const lenders = () => Promise.all([readBalance(vault, cash, 'SPL'), readBalance(second, cash, 'SPL')])
  const before = await lenders()
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  const elsewhere = { ...loan, lendingDetails: { loanStrategyAddress: second.onchainId } }
  await denied('PATCH', '/loans/refinance', elsewhere)
  expect(await lenders()).toEqual(before)
  expect(await readLoan(escrow)).toMatchObject({
    lender: { onchain: { id: vault.onchainId } },
    lifecycleState: 'ACTIVE',
  })

  // Nothing moves within its vault: there is nothing to screen.
  screener.asked.length = 0
  await fixture.world.api.ok(200, 'PATCH', '/loans/refinance', {
    ...loan,
    lendingDetails: { loanStrategyAddress: vault.onchainId },
  })
  expect(screener.asked).toEqual([])

  screener.behave = allows
  const { chainTransaction } = await fixture.world.api.ok<Pick<LoanCreation, 'chainTransaction'>>(
    200,
    'PATCH',
    '/loans/refinance',
    elsewhere,
  )
  expect(chainTransaction.success, JSON.stringify(chainTransaction)).toBe(true)
  const payments = readScreened(cash)
  expect(payments.map(([payers, amount]) => [payers, amount / UNIT])).toEqual([[second.onchainId, 100n]])
  expect(await lenders()).toEqual([before[0] + payments[0]![1], before[1] - payments[0]![1]])
  expect(await readLoan(escrow)).toMatchObject({ lender: { onchain: { id: second.onchainId } } })
})

it('screens a liquidation, and leaves the collateral if it is denied', async () => {
  const { newLoan: escrow } = await lend()
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  await fixture.price(bondFeed, '0.4')
  screener.asked.length = 0
  const balanceBefore = await fixture.world.chain.tokens(fixture.world.records.associated(escrow, bond, 'TOKEN_2022'))
  await denied('PATCH', '/loans/liquidate', loan)
  expect(await fixture.world.chain.tokens(fixture.world.records.associated(escrow, bond, 'TOKEN_2022'))).toBe(
    balanceBefore,
  )
  expect(readScreened(bond).every(([, amount]) => amount / UNIT === 250n)).toBe(true)
  expect(readScreened(bond)).not.toEqual([])
  screener.behave = allows
  await fixture.world.api.ok(200, 'PATCH', '/loans/liquidate', loan)
  expect(await readLoan(escrow)).toMatchObject({ lifecycleState: 'REPAID' })
})
