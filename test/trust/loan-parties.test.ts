// Who acts on a loan: only its lender liquidates it, at fresh prices of the feeds in its terms, and takes what is due;
// its borrower pays the fees.
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Debt, Pledge } from '../../machines/lending/loan-books.ts'
import { seizure, type Worth } from '../../machines/lending/loan-health.ts'
import { minus, sum, times, wholeRatio, type Ratio } from '../../machines/ratio.ts'
import type { Client } from '../e2e/client.ts'
import { perTransaction, to } from '../e2e/limits/limit-fixture.ts'
import { terms, type Feed, type LoanCreation, type Loan } from '../e2e/loans/loan-fixture.ts'
import type { Ids, Problem, Problems, Result } from '../e2e/models.ts'
import { LendingTenants, UNIT, type Tenant } from './fixtures/lending-tenants.ts'
import { Outsider } from './fixtures/outsider.ts'

const LIQUIDATE = '/loans/liquidate'
const SOL = 1_000_000_000n
let tenants: LendingTenants
let lender: Tenant
let borrower: Tenant
let vault: Ids
let strategy: Ids

beforeAll(async () => {
  tenants = await LendingTenants.open()
  ;({ lender, borrower } = tenants)
  vault = await tenants.treasury(10_000n)
  strategy = await tenants.makesStrategy(vault, {
    borrowers: [{ organizationExternalId: borrower.organization, cap: 5_000 }],
    exemptFromDebitLimits: true,
  })
})
afterAll(() => tenants.fixture.world.stop())

const at = (wallet: Ids, { onchainId }: Ids) => ({
  owner: { offchainId: wallet.offchainId },
  financialInstrument: { onchainId },
})
const of = (escrow: object, members: object = {}) => ({ defiProtocol: 'ESCROW_VAULT', escrow, ...members })
const escrowOf = ({ offchainId }: Ids) => ({ offchainId })
const bonds = (owner: Ids): Promise<bigint> => tenants.balanceOf(owner, tenants.bond)

async function lends(pledged = 40): Promise<Ids> {
  const wallet = await tenants.borrowing(borrower, 100n)
  const { newLoan, chainTransaction } = await borrower.operator.api.ok<LoanCreation>(
    201,
    'POST',
    '/loans',
    tenants.loan(vault, wallet, 10, pledged),
  )
  expect(chainTransaction.success).toBe(true)
  return newLoan
}

/** The keys of the lender find the escrow by its address. */
const liquidates = async (escrow: Ids, api: Client): Promise<{ status: number; code: string | undefined }> => {
  const { status, body } = await api.send<Problems>('PATCH', LIQUIDATE, of(escrowOf(escrow)))
  return { status, code: body.errors?.[0]?.code }
}

/** The strategy uses another feed for the price of the bond from now on. */
async function pricedBy({ offchainId }: Feed): Promise<void> {
  const change = { collateral: [terms(tenants.bond, { onchainDataSource: { offchainId } })] }
  await lender.admin.api.ok(200, 'PATCH', '/loans/strategies', tenants.change(strategy, change))
}

/** Sets a low price of the bond for the duration of the work. */
async function whileWorth<T>(price: string, act: () => Promise<T>): Promise<T> {
  await tenants.fixture.price(tenants.bondFeed, price)
  try {
    return await act()
  } finally {
    await tenants.fixture.price(tenants.bondFeed, '1')
  }
}

describe('attack 2: a loan that can be liquidated', () => {
  it('attack 2: is liquidated only by a key of the lender, with the role for loans', async () => {
    const escrow = await lends()
    const below = `SUB-${crypto.randomUUID()}`
    await tenants.fixture.world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: 'below',
      parentExternalId: lender.organization,
    })
    const sibling = await tenants.limits.person(below, 'ADMIN')
    const stranger = await tenants.limits.person(await tenants.limits.organization(), 'ADMIN')
    const reader = await tenants.limits.person(lender.organization, [
      'LOANS_READ',
      'TRANSACTIONS_WRITE',
      'ACCOUNT_POLICY_WRITE',
    ])
    await whileWorth('0.2', async () => {
      expect(await liquidates(escrow, sibling.api)).toEqual({ status: 400, code: 'LOAN_NOT_FOUND' })
      expect(await liquidates(escrow, stranger.api)).toEqual({ status: 400, code: 'LOAN_NOT_FOUND' })
      expect(await liquidates(escrow, borrower.admin.api)).toEqual({ status: 403, code: 'LENDER_REQUIRED' })
      expect(await liquidates(escrow, reader.api)).toMatchObject({ status: 403 })
      expect([await bonds(escrow), await bonds(vault)]).toEqual([40n * UNIT, 0n])
      expect(await liquidates(escrow, lender.operator.api)).toMatchObject({ status: 200 })
    })
    expect([await bonds(escrow), await bonds(vault)]).toEqual([0n, 40n * UNIT])
  })

  it('attack 2: is not liquidated at a stale price, nor by a feed that is not in its terms', async () => {
    const escrow = await lends()
    const cheap = await tenants.fixture.feed(tenants.bond, '0.01', lender.admin.api)
    await pricedBy(cheap)
    expect(await liquidates(escrow, lender.admin.api)).toEqual({ status: 400, code: 'LOAN_NOT_LIQUIDATABLE' })
    await tenants.fixture.price(tenants.bondFeed, '0.2')
    await tenants.fixture.price(tenants.cashFeed, '1')
    tenants.fixture.pass(3_601)
    expect(await liquidates(escrow, lender.admin.api)).toEqual({ status: 400, code: 'PRICE_STALE' })
    await tenants.fixture.price(tenants.cashFeed, '1')
    expect(await liquidates(escrow, lender.admin.api)).toEqual({ status: 400, code: 'PRICE_STALE' })
    expect(await bonds(escrow)).toBe(40n * UNIT)
    await tenants.fixture.price(tenants.bondFeed, '1')
    expect(await liquidates(escrow, lender.admin.api)).toEqual({ status: 400, code: 'LOAN_NOT_LIQUIDATABLE' })
    await pricedBy(tenants.bondFeed)
  })

  it('attack 2: pays the lender the debt and not other deposits in its escrow, nor the same debt twice', async () => {
    const escrow = await lends()
    const { pledgedItems } = await borrower.admin.api.read<Loan>('/loans/single', { escrow: escrowOf(escrow) })
    const position = { onchainId: pledgedItems[0]!.accountDetails.onchain.id }
    await lender.admin.api.ok(201, 'POST', '/positions/mint', {
      destination: { position },
      lamports: (500n * UNIT).toString(),
    })
    const before = await bonds(vault)
    await whileWorth('0.3', async () => {
      expect(await liquidates(escrow, lender.operator.api)).toMatchObject({ status: 200 })
      const { status } = await liquidates(escrow, lender.operator.api)
      expect(status).toBe(400)
    })
    const takenBonds = (await bonds(vault)) - before
    // Ten are owed, and interest of a few seconds: at most a third of a unit more than is due.
    expect(takenBonds).toBeGreaterThanOrEqual((100n * UNIT) / 3n)
    expect(takenBonds).toBeLessThan(34n * UNIT)
    expect(await bonds(escrow)).toBe(540n * UNIT - takenBonds)
  })
})

describe('attack 2: the destination of a liquidation', () => {
  it('attack 2: cannot be an account of the vault that an outsider can close and reopen', async () => {
    const outsider = await Outsider.with(tenants.fixture.world)
    const careful = await tenants.treasury(100n, { tokenDebitLimits: [to('OFF_PLATFORM', perTransaction(0))] })
    await tenants.makesStrategy(careful, {
      collateral: [terms(tenants.bond, { onchainDataSource: { offchainId: tenants.bondFeed.offchainId } })],
      borrowers: [{ organizationExternalId: borrower.organization, cap: 100 }],
      exemptFromDebitLimits: true,
    })
    const trap = Keypair.generate()
    await outsider.openTrap(trap, tenants.bond.onchainId, 'SPL', careful.onchainId)
    const position = { onchainId: trap.publicKey.toBase58(), alreadyOnchain: true, managed: false }
    await lender.operator.api.ok(201, 'POST', '/positions', {
      owner: careful,
      financialInstrument: tenants.bond,
      position,
    })
    const wallet = await tenants.borrowing(borrower, 100n)
    await tenants.fixture.price(tenants.cashFeed, '1')
    const { newLoan } = await borrower.operator.api.ok<LoanCreation>(
      201,
      'POST',
      '/loans',
      tenants.loan(careful, wallet, 10, 40),
    )
    await whileWorth('0.2', async () => {
      expect(await liquidates(newLoan, lender.operator.api)).toEqual({ status: 400, code: 'DEBIT_LIMIT_EXCEEDED' })
      expect(await bonds(newLoan)).toBe(40n * UNIT)
      // The associated account is found if it is on record.
      await lender.records.position(careful, tenants.bond)
      expect(await liquidates(newLoan, lender.operator.api)).toMatchObject({ status: 200 })
    })
    expect([await bonds(newLoan), await bonds(careful)]).toEqual([0n, 40n * UNIT])
  })
})

const ratio = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n))
  .map(([numerator, denominator]): Ratio => ({ numerator, denominator }))

describe('attack 2: the collateral taken by a liquidation', () => {
  it('attack 2 property: is never worth a raw unit more than the debt it repays, at any prices', () => {
    const item = fc.record({ amount: fc.bigInt(0n, 10n ** 15n), price: ratio })
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 3 }),
        fc.array(item, { minLength: 1, maxLength: 3 }),
        (pledged, owed) => {
          const books = {
            pledged: pledged.map(
              ({ amount }, index) =>
                ({ instrument: { address: `P${index}`, id: null }, amount: amount.toString() }) as Pledge,
            ),
            debts: owed.map(({ amount }, index) => debt(`D${index}`, amount)),
          }
          const price = (list: readonly { price: Ratio }[], mint: string): Ratio => list[Number(mint.slice(1))]!.price
          const worth: Worth = { owed: (mint) => price(owed, mint), pledged: (mint) => price(pledged, mint) }
          const { withdrawals, payments } = seizure(books, 0, worth)!
          const value = sum(
            withdrawals.map(({ instrument, amount }) => times(wholeRatio(amount), price(pledged, instrument))),
          )
          for (const { instrument, amount } of withdrawals)
            expect(amount).toBeLessThanOrEqual(pledged[Number(instrument.slice(1))]!.amount)
          for (const { instrument, amount } of payments)
            expect(amount).toBeLessThanOrEqual(owed[Number(instrument.slice(1))]!.amount)
          const last = withdrawals.at(-1)
          if (last === undefined) return
          // All but the last unit taken is covered by what is due.
          const due = sum(owed.map((each) => times(wholeRatio(each.amount), each.price)))
          const excess = minus(minus(value, price(pledged, last.instrument)), due)
          expect(excess.numerator).toBeLessThanOrEqual(0n)
        },
      ),
    )
  })
})

function debt(address: string, amount: bigint): Debt {
  const principalDue = amount.toString()
  return {
    strategy: 'S',
    instrument: { address, id: null },
    decimals: 0,
    position: { address: 'B', id: null },
    source: { address: 'F', id: null },
    terms: [],
    apy: 0,
    duration: { code: 'DAYS', unit: 1 },
    startedAt: 0,
    endsAt: 0,
    principalDue,
    principalRepaid: '0',
    interestRepaid: '0',
    interest: '0',
    updatedAt: 0,
  }
}

describe('14.4: the fee of a loan', () => {
  const expectUnable = async (
    method: 'POST' | 'PATCH',
    path: string,
    request: object,
    config?: object,
  ): Promise<Problem> =>
    await borrower.admin.api.refuses(
      400,
      'FEE_PAYER_NOT_ALLOWED',
      method,
      path,
      request,
      config === undefined ? {} : { config },
    )

  it('14.4: is paid by the borrower, and a borrower without the right is named in the refusal', async () => {
    const wallet = await tenants.borrowing(borrower, 100n)
    const { newLoan } = await borrower.operator.api.ok<LoanCreation & { chainTransaction: Result }>(
      201,
      'POST',
      '/loans',
      tenants.loan(vault, wallet, 10, 40),
    )
    await borrower.admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, canPayFees: false })
    const { message, pointer } = await expectUnable('POST', '/loans', tenants.loan(vault, wallet, 1, 4))
    expect(message).toMatch(/^the borrower pays the fee of its loan: .*`canPayFees`/)
    expect(pointer).toBe('/itemData/itemsToBorrow/0/positionLookup')
    const item = { positionLookup: at(wallet, tenants.bond), amount: 1 }
    const swap = of(escrowOf(newLoan), { itemsToDeposit: [item] })
    expect((await expectUnable('PATCH', '/loans/swap-collateral', swap)).pointer).toBe(
      '/itemData/itemsToDeposit/0/positionLookup',
    )
    const release = of(escrowOf(newLoan), { itemsToRelease: [item] })
    expect((await expectUnable('PATCH', '/loans/repay', release)).pointer).toBe(
      '/itemData/itemsToRelease/0/positionLookup',
    )
    const refinancing = of(escrowOf(newLoan), { lendingDetails: { loanStrategyAddress: vault.onchainId } })
    expect((await expectUnable('PATCH', '/loans/refinance', refinancing)).pointer).toBe('/itemData/escrow')
    // If a fee payer is named, the pointer names that member.
    const config = { feePayer: { onchainId: wallet.onchainId } }
    expect((await expectUnable('POST', '/loans', tenants.loan(vault, wallet, 1, 4), config)).pointer).toBe(
      '/chainTransactionConfig/feePayer',
    )
    await borrower.admin.api.ok(200, 'PATCH', '/accounts', { account: wallet, canPayFees: true })
    expect(await tenants.fixture.world.chain.lamports(wallet.onchainId)).toBeLessThan(10n * SOL)
    await borrower.admin.api.ok(200, 'PATCH', '/loans/swap-collateral', swap)
  })
})
