// A loan between two tenants, each of which has its own record of the instruments of the other: answers show, and
// filters find, the record of the reader, never that of the other. Within a tenant likewise, by organization.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../e2e/client.ts'
import { terms, type Loan, type LoanCreation } from '../../e2e/loans/loan-fixture.ts'
import type { Ids, Problems } from '../../e2e/models.ts'
import { LendingTenants, UNIT, type Tenant } from '../fixtures/lending-tenants.ts'

let tenants: LendingTenants
let vault: Ids
let wallet: Ids
let escrow: Ids
/** What the borrower issued, and the lender's record of it. */
let theirs: Ids
let theirsToLender: Ids
/** The borrower's record of what the lender issued. */
let cashToBorrower: Ids

const onboards = async ({ admin }: Tenant, { onchainId }: Ids): Promise<Ids> => {
  const mintAccount = { onchainId, alreadyOnchain: true, managed: false }
  const { newFinancialInstrument } = await admin.api.ok<{ newFinancialInstrument: Ids }>(
    201,
    'POST',
    '/financial-instruments',
    { mintAccount },
  )
  return newFinancialInstrument
}

async function borrows(): Promise<Ids> {
  const body = tenants.loan(vault, wallet, 100, 300, theirs)
  const { newLoan, chainTransaction } = await tenants.borrower.admin.api.ok<LoanCreation>(201, 'POST', '/loans', body)
  expect(chainTransaction.success).toBe(true)
  return newLoan
}

beforeAll(async () => {
  tenants = await LendingTenants.open()
  const { lender, borrower, cash } = tenants
  theirs = await borrower.records.instrument('SPL', await borrower.records.account())
  wallet = await borrower.records.funded({ canPayFees: true, tokenDebitLimits: [] })
  await borrower.records.position(wallet, theirs, 1_000n * UNIT)
  theirsToLender = await onboards(lender, theirs)
  cashToBorrower = await onboards(borrower, cash)
  await tenants.fixture.feed(theirsToLender, '1', lender.admin.api)
  vault = await tenants.treasury(1_000n)
  await tenants.makesStrategy(vault, {
    collateral: [terms(theirsToLender)],
    borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }],
    exemptFromDebitLimits: true,
  })
  escrow = await borrows()
})
afterAll(() => tenants.fixture.world.stop())

type Value = readonly [filterType: string, valueString: string]

async function count(api: Client, fieldName: string, [filterType, text]: Value): Promise<number> {
  const value = filterType === 'IN' ? { valuesString: [text] } : { valueString: text }
  const page = await api.bulk('/loans/bulk', { filter: [{ fieldName, filterValues: [{ filterType, ...value }] }] })
  return (page as { count: number }).count
}

const found = (api: Client, fieldName: string, { offchainId }: Pick<Ids, 'offchainId'>): Promise<number> =>
  count(api, fieldName, ['EQUALS', offchainId])

const read = (api: Client): Promise<Loan> => api.read('/loans/single', { escrow: { onchainId: escrow.onchainId } })

const instrumentsIn = ({ marketData }: Loan) =>
  marketData.map(({ financialInstrument: { onchain, offchain } }) => [onchain.id, offchain.id])

describe('14.1: a loan between tenants that both have records of its instruments', () => {
  it('14.1: is found by the own record of each instrument, and not by that of the other tenant', async () => {
    for (const [api, cash, pledged] of [
      [tenants.borrower.admin.api, cashToBorrower, theirs],
      [tenants.lender.admin.api, tenants.cash, theirsToLender],
    ] as const) {
      for (const [field, own] of [
        ['borrowedItem', cash],
        ['pledgedItem', pledged],
      ] as const) {
        const name = `${field}OffchainId`
        expect([field, await found(api, name, own)]).toEqual([field, 1])
        expect(await found(api, name, { offchainId: own.offchainId.toUpperCase() })).toBe(1)
        for (const operator of ['STARTS_WITH', 'CONTAINS', 'IN'])
          expect([operator, await count(api, name, [operator, own.offchainId])]).toEqual([operator, 1])
        expect(await count(api, name, ['NOT_EQUALS', own.offchainId])).toBe(0)
        expect(await count(api, `${field}OnchainId`, ['EQUALS', own.onchainId])).toBe(1)
      }
    }
    for (const [api, cash, pledged] of [
      [tenants.borrower.admin.api, tenants.cash, theirsToLender],
      [tenants.lender.admin.api, cashToBorrower, theirs],
    ] as const) {
      for (const operator of ['EQUALS', 'STARTS_WITH', 'IN']) {
        expect(await count(api, 'borrowedItemOffchainId', [operator, cash.offchainId])).toBe(0)
        expect(await count(api, 'pledgedItemOffchainId', [operator, pledged.offchainId])).toBe(0)
      }
      expect(await count(api, 'borrowedItemOffchainId', ['NOT_EQUALS', cash.offchainId])).toBe(1)
    }
  })

  it('14.1: shows each of them its own record of an instrument beside its price', async () => {
    const [borrower, lender] = await Promise.all([tenants.borrower, tenants.lender].map(({ admin }) => read(admin.api)))
    expect(instrumentsIn(borrower!)).toEqual([
      [tenants.cash.onchainId, cashToBorrower.offchainId],
      [theirs.onchainId, theirs.offchainId],
    ])
    expect(instrumentsIn(lender!)).toEqual([
      [tenants.cash.onchainId, tenants.cash.offchainId],
      [theirs.onchainId, theirsToLender.offchainId],
    ])
    for (const loan of [borrower!, lender!])
      for (const { financialInstrument } of loan.marketData)
        expect(financialInstrument).toMatchObject({ status: 'ACTIVE', offchain: { type: 'ASSET_TOKEN' } })
  })

  it('14.1: is found by the own record of the other account, also if that was made after the loan', async () => {
    const { admin, records } = tenants.borrower
    expect(await count(admin.api, 'lenderOffchainId', ['STARTS_WITH', ''])).toBe(0)
    const noted = await records.account({ managed: false, alreadyOnchain: true, onchainId: vault.onchainId })
    expect((await read(admin.api)).lender.offchain.id).toBe(noted.offchainId)
    expect(await found(admin.api, 'lenderOffchainId', noted)).toBe(1)
    expect(await found(admin.api, 'lenderOffchainId', vault)).toBe(0)
    expect(await found(tenants.lender.admin.api, 'lenderOffchainId', vault)).toBe(1)
    expect(await found(tenants.lender.admin.api, 'lenderOffchainId', noted)).toBe(0)
  })

  it('14.1: is sorted by the ids that are shown, and other filters of the query apply', async () => {
    const { api } = tenants.borrower.admin
    const second = await borrows()
    const by = (fieldName: string, { offchainId }: Pick<Ids, 'offchainId'>, ...others: readonly object[]) => ({
      fieldName,
      filterValues: [{ filterType: 'EQUALS', valueString: offchainId }, ...others],
    })
    const cash = by('borrowedItemOffchainId', cashToBorrower)
    const one = by('escrowOffchainId', second)
    const isNull = { filterType: 'IS_NULL' }
    const either = { ...by('borrowedItemOffchainId', tenants.cash, { filterType: 'IS_NOT_NULL' }), operator: 'OR' }
    const sort = [{ fieldName: 'borrowerOffchainId', sortDirection: 'DESC' }]
    const pages = await Promise.all(
      [[cash], [one, cash], [either], [one, either], [{ ...cash, filterValues: [isNull] }]].map((filter) =>
        api.bulk('/loans/bulk', { filter, sort, limit: 1 }),
      ),
    )
    expect(pages.map((page) => (page as { count: number }).count)).toEqual([2, 1, 2, 1, 0])
    expect(pages.map((page) => (page as { items: Loan[] }).items.length)).toEqual([1, 1, 1, 1, 0])
    const { status, body } = await api.post<Problems>('/loans/bulk', {
      itemQuery: { sort: [...sort, { fieldName: 'apy', sortDirection: 'ASC' }] },
    })
    expect([status, body.errors?.[0]]).toMatchObject([
      400,
      { code: 'UNKNOWN_FIELD', pointer: '/itemQuery/sort/1/fieldName' },
    ])
  })
})

describe('a loan within a tenant', () => {
  it('is not found by ids of records that its answers do not show the organization', async () => {
    const { limits, borrower, fixture } = tenants
    const below = `SUB-${crypto.randomUUID()}`
    await fixture.world.api.ok(201, 'POST', '/admin/organizations', {
      externalId: below,
      name: 'below',
      parentExternalId: tenants.lender.organization,
    })
    const api = (await limits.person(below, 'ADMIN')).api
    const records = fixture.world.records.with(api)
    const [strategy] = ((await tenants.lender.admin.api.bulk('/loans/strategies/bulk', {})) as { items: Ids[] }).items
    await tenants.lender.admin.api.ok(
      200,
      'PATCH',
      '/loans/strategies',
      tenants.change(strategy!, {
        borrowers: [{ organizationExternalId: borrower.organization, cap: 1_000 }, below],
      }),
    )
    const own = await records.funded({ canPayFees: true, tokenDebitLimits: [], networkCurrencyDebitLimits: [] })
    const config = { feePayer: own }
    const at = { owner: own, financialInstrument: { onchainId: theirs.onchainId } }
    const { newPosition } = await api.ok<{ newPosition: Ids }>(201, 'POST', '/positions', at, { config })
    await borrower.admin.api.ok(201, 'POST', '/positions/mint', {
      destination: { position: { onchainId: newPosition.onchainId, offPlatform: true } },
      lamports: (500n * UNIT).toString(),
    })
    const { newLoan } = await api.ok<LoanCreation>(201, 'POST', '/loans', tenants.loan(vault, own, 100, 300, theirs))
    const shown = await api.read<Loan>('/loans/single', { escrow: newLoan })
    expect(shown.lender).toEqual({ onchain: { id: vault.onchainId } })
    expect(shown.borrower.offchain.id).toBe(own.offchainId)
    expect(await found(api, 'borrowerOffchainId', own)).toBe(1)
    expect(await found(api, 'lenderOffchainId', vault)).toBe(0)
    expect(await count(api, 'lenderOnchainId', ['EQUALS', vault.onchainId])).toBe(1)
    expect(await found(tenants.lender.admin.api, 'lenderOffchainId', vault)).toBeGreaterThan(1)
    expect(await found(tenants.lender.admin.api, 'borrowerOffchainId', own)).toBe(0)
  })
})
