// Prices as large and as small as a feed can publish: loans are valued exactly, or as unknown, and always listed.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from '../models.ts'
import type { Loan } from './loan-fixture.ts'
import {
  bond,
  bondFeed,
  buildLoanRequest,
  cash,
  cashFeed,
  fixture,
  lend,
  readLoan,
  withLendingVault,
} from './lending-vault.ts'

withLendingVault()

const HUGE = `1${'0'.repeat(120)}`
const TINY = `0.${'0'.repeat(71)}1`

let escrow: Ids

beforeAll(async () => {
  escrow = (await lend()).newLoan
})

/** The loan by itself and out of a page, which value it alike. */
async function priced(cashPrice: string, bondPrice: string): Promise<Loan> {
  await fixture.price(cashFeed, cashPrice)
  await fixture.price(bondFeed, bondPrice)
  const loan = await readLoan(escrow)
  const page = (await fixture.world.api.bulk('/loans/bulk', {})) as { readonly items: readonly Loan[] }
  const { health, currentLoanToValue, lifecycleState, marketData } = loan
  expect(page.items).toMatchObject([{ health, currentLoanToValue, lifecycleState, marketData }])
  return loan
}

describe('a loan', () => {
  it('has the same health at prices that differ by the same factor', async () => {
    const { health, currentLoanToValue } = await priced('1', '1')
    expect([health, currentLoanToValue]).toEqual([expect.any(Number), expect.any(Number)])
    for (const price of [HUGE, TINY])
      expect(await priced(price, price)).toMatchObject({ health, currentLoanToValue, lifecycleState: 'ACTIVE' })
  })

  it('is healthy where the debt is worth next to nothing', async () => {
    expect(await priced(TINY, HUGE)).toMatchObject({
      health: 999_999,
      currentLoanToValue: 1,
      lifecycleState: 'ACTIVE',
      marketData: [
        { price: Number(TINY), stale: false },
        { price: HUGE, stale: false },
      ],
    })
  })

  it('is liquidatable, of unknown health, where the collateral is worth next to nothing', async () => {
    const { api } = fixture.world
    const unknown = { health: null, currentLoanToValue: null, lifecycleState: 'LIQUIDATABLE' }
    expect(await priced('1', TINY)).toMatchObject(unknown)
    expect(await priced(HUGE, '1')).toMatchObject(unknown)
    await api.refuses(400, 'LTV_EXCEEDED', 'POST', '/loans', buildLoanRequest())
  })

  it.each(['0', '-1'])('is of unknown health at the price %s, which counts as missing', async (price) => {
    expect(await priced(price, '1')).toMatchObject({
      health: null,
      currentLoanToValue: null,
      lifecycleState: 'ACTIVE',
      marketData: [
        { financialInstrument: { onchain: { id: cash.onchainId } }, price: null, stale: true },
        { financialInstrument: { onchain: { id: bond.onchainId } }, price: 1, stale: false },
      ],
    })
  })
})

it.each([
  ['1e-120', 'too small'],
  ['1e200', 'too large'],
])('a feed refuses the value %s, which it cannot publish', async (value, reason) => {
  const { offchainId } = cashFeed
  const { message } = await fixture.world.api.refuses(400, 'JOB_INVALID', 'PATCH', '/market-data/onchain-data-source', {
    onchainDataSource: { offchainId },
    oracleProviderDetails: { jobDefinition: JSON.stringify({ tasks: [{ valueTask: { big: value } }] }) },
  })
  expect(message).toContain(reason)
})

it('a loan at huge prices is liquidated', async () => {
  await priced(HUGE, '1')
  const loan = { defiProtocol: 'ESCROW_VAULT', escrow }
  await fixture.world.api.ok(200, 'PATCH', '/loans/liquidate', loan)
  expect((await readLoan(escrow)).pledgedItems).toEqual([])
})
