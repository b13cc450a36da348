// Loans of instruments with more decimals than any other number of the interface has: lists compare their amounts
// exactly, and refuse an operand that they cannot compare.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { SOL } from '../records.ts'
import type { Ids } from '../models.ts'
import { LoanFixture, terms, type LoanCreation } from './loan-fixture.ts'

const DECIMALS = 24

let fixture: LoanFixture
/** Raw units pledged, by the escrow's address. */
const pledged = new Map<string, bigint>()

beforeAll(async () => {
  fixture = await LoanFixture.open()
  const { records, api } = fixture.world
  await records.feePayer()
  const issuer = await records.account()
  const create = (decimals: number) => records.instrument('SPL', issuer, { onchainData: { decimals } })
  const [cash, bond] = [await create(DECIMALS), await create(DECIMALS)]
  const vault = await records.account()
  const wallet = await records.funded({ canPayFees: true, tokenDebitLimits: [] }, SOL)
  await records.position(vault, cash, 1_000_000n)
  await records.position(wallet, bond, 2n ** 63n)
  for (const each of [cash, bond]) await fixture.feed(each, '1')
  await api.ok(201, 'POST', '/loans/strategies', {
    strategyAccount: vault,
    financialInstrument: cash,
    collateral: [terms(bond)],
    duration: { code: 'WEEKS', unit: 2 },
  })
  const item = (financialInstrument: Ids, lamports: bigint) => ({
    positionLookup: { owner: wallet, financialInstrument },
    lamports: lamports.toString(),
  })
  for (const amount of [300n, 301n, 4_000_000_000_000_000_001n, 4_000_000_000_000_000_000n]) {
    const { newLoan } = await api.ok<LoanCreation>(201, 'POST', '/loans', {
      defiProtocol: 'ESCROW_VAULT',
      lendingDetails: { loanStrategyAddress: vault.onchainId },
      itemsToBorrow: [item(cash, 100n)],
      itemsToPledge: [item(bond, amount)],
    })
    pledged.set(newLoan.onchainId, amount)
  }
})
afterAll(() => fixture.world.stop())

const shown = (raw: bigint): string => `0.${raw.toString().padStart(DECIMALS, '0')}`

async function listed(query: object): Promise<readonly string[]> {
  const { items } = (await fixture.world.api.bulk('/loans/bulk', query)) as {
    readonly items: readonly { readonly escrow: { readonly onchain: { readonly id: string } } }[]
  }
  return items.map(({ escrow }) => escrow.onchain.id)
}

describe('loans of an instrument with 24 decimals', () => {
  it('are found by their amounts', async () => {
    const amounts = fc.constantFrom(...[...pledged.values()].flatMap((amount) => [amount - 1n, amount, amount + 1n]))
    const comparisons = {
      EQUALS: (a: bigint, b: bigint) => a === b,
      NOT_EQUALS: (a: bigint, b: bigint) => a !== b,
      LESS_THAN: (a: bigint, b: bigint) => a < b,
      LESS_THAN_OR_EQUAL: (a: bigint, b: bigint) => a <= b,
      GREATER_THAN: (a: bigint, b: bigint) => a > b,
      GREATER_THAN_OR_EQUAL: (a: bigint, b: bigint) => a >= b,
    }
    const names = Object.keys(comparisons) as (keyof typeof comparisons)[]
    await fc.assert(
      fc.asyncProperty(amounts, fc.constantFrom(...names), async (bound, filterType) => {
        const filterValues = [{ filterType, valueNumber: shown(bound) }]
        const found = await listed({ filter: [{ fieldName: 'pledgedItemAmount', filterValues }] })
        const expected = [...pledged].filter(([, amount]) => comparisons[filterType](amount, bound))
        expect(found.toSorted()).toEqual(expected.map(([escrow]) => escrow).toSorted())
      }),
      { numRuns: 60 },
    )
  })

  it.each(['ASC', 'DESC'] as const)('are sorted by them (%s), page by page', async (sortDirection) => {
    const sort = [{ fieldName: 'pledgedItemAmount', sortDirection }]
    const pages = []
    for (const skip of [0, 1, 2, 3]) pages.push(await listed({ sort, skip, limit: 1 }))
    const ascending = [...pledged].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([escrow]) => escrow)
    expect(pages.flat()).toEqual(sortDirection === 'ASC' ? ascending : ascending.toReversed())
  })
})

describe('an operand of a filter', () => {
  const found = async (value: object): Promise<number> =>
    (await listed({ filter: [{ fieldName: 'pledgedItemAmount', filterValues: [value] }] })).length

  it('may be above the largest amount of a token, or between two amounts', async () => {
    expect(await found({ filterType: 'LESS_THAN', valueNumber: '18446744073709551616' })).toBe(4)
    expect(await found({ filterType: 'GREATER_THAN', valueNumber: '99999999999999999999' })).toBe(0)
    expect(await found({ filterType: 'GREATER_THAN', valueNumber: `-0.${'0'.repeat(98)}1` })).toBe(4)
    const between = `${shown(300n)}${'5'.repeat(75)}`
    expect(await found({ filterType: 'IN_RANGE', valueFromNumber: shown(300n), valueToNumber: between })).toBe(1)
    expect(await found({ filterType: 'IN_RANGE', valueFromNumber: between, valueToNumber: shown(301n) })).toBe(1)
  })

  it.each([
    ['1e30', 'TOO_LARGE', 1e30],
    ['more than 20 digits', 'TOO_LARGE', '100000000000000000000'],
    ['more than 100 digits', 'TOO_LARGE', `1${'0'.repeat(120)}`],
    ['more than 99 decimals', 'TOO_PRECISE', `0.${'0'.repeat(99)}1`],
    ['1e-120', 'TOO_PRECISE', 1e-120],
  ])('of %s is refused by name', async (_, code, value) => {
    const [filter, range] = [
      { filterType: 'LESS_THAN', valueNumber: value },
      { filterType: 'IN_RANGE', valueFromNumber: 0, valueToNumber: value },
    ].map((filterValue) => ({
      itemQuery: { filter: [{ fieldName: 'pledgedItemAmount', filterValues: [filterValue] }] },
    }))
    const refusal = async (body: object | undefined) => {
      const response = await fetch(`${fixture.world.url}/api/v1/loans/bulk`, {
        method: 'POST',
        headers: { authorization: fixture.world.api.bearer, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { errors } = (await response.json()) as { errors: { code: string; pointer: string }[] }
      return [response.status, errors.map((error) => [error.code, error.pointer])]
    }
    const place = '/itemQuery/filter/0/filterValues/0'
    expect(await refusal(filter)).toEqual([400, [[code, `${place}/valueNumber`]]])
    expect(await refusal(range)).toEqual([400, [[code, `${place}/valueToNumber`]]])
  })
})
