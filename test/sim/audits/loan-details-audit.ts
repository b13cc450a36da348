// The details of a loan, compared with the books of the auditor. All instruments of the market have two decimals.
import type { JsonObject } from '../../../src/contract/call.ts'
import { listCollateral, interestOf, UNIT, type Books } from './reckoning.ts'

interface Shown {
  readonly status: string
  readonly lifecycleState: string
  readonly pledgedItems: readonly { readonly pledgedAmount: number | string }[]
  readonly borrowedItems: readonly {
    readonly apy: number
    readonly principalDue: number | string
    readonly principalRepaid: number | string
    readonly interestOutstanding: number | string
    readonly estimatedInterest: number | string
    readonly lastInterestUpdateTime: string
  }[]
}

/** The differences as text; null: none. */
export function checkDetails(model: JsonObject, books: Books | null, until: bigint): string | null {
  const { status, lifecycleState, pledgedItems, borrowedItems } = model as unknown as Shown
  if (books === null) return status === 'CLOSED' ? null : `${status}, and it never was`
  const actual = {
    status,
    pledged: pledgedItems.map(({ pledgedAmount }) => raw(pledgedAmount)),
    owing: borrowedItems.map((item) => [
      String(item.apy),
      raw(item.principalDue),
      raw(item.principalRepaid),
      raw(item.interestOutstanding),
      raw(item.estimatedInterest),
      item.lastInterestUpdateTime,
    ]),
  }
  const { debt, closed } = books
  const expected = {
    status: closed ? 'CLOSED' : 'OPEN',
    pledged: listCollateral(books).map(([, amount]) => String(amount)),
    owing:
      debt === null
        ? []
        : [
            [
              String(debt.apy),
              String(debt.lent),
              String(debt.repaid),
              units(debt.interest),
              units(interestOf(debt, until)),
              new Date(Number(debt.since) * 1000).toISOString(),
            ],
          ],
  }
  if (
    !closed &&
    debt !== null &&
    (debt.lent === debt.repaid && debt.interest === 0n) !== (lifecycleState === 'REPAID')
  ) {
    return `${lifecycleState}, of ${debt.lent} lent ${debt.repaid} is repaid`
  }
  const [one, other] = [actual, expected].map((each) => JSON.stringify({ ...each, pledged: each.pledged.toSorted() }))
  return one === other ? null : `${one}, expected ${other}`
}

function units(interest: bigint): string {
  return String((interest + UNIT - 1n) / UNIT)
}

function raw(amount: number | string): string {
  return String(Math.round(Number(amount) * 100))
}
