// POST /loans/single and /loans/bulk: current state of loans, for the organizations of the borrower and the lender.
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { Filter, FilterType, FilterValue, Query } from '../../engine/query/field.ts'
import { answerLoans } from '../views/bulk/fetch-loans.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { LoanDetailsInput } from '../../contract/schemas/loan.ts'
import type { Read } from '../context/platform.ts'
import { loanModel } from '../views/read-models/loan.ts'
import { readScales } from '../views/read-models/position.ts'
import { notFound } from '../../contract/refusal.ts'
import { readableLoan } from './named.ts'
import type { LoanModel } from '../../contract/schemas/loan-answers.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

/** The other filters of text ignore case. */
const EXACT: ReadonlySet<FilterType> = new Set<FilterType>(['EQUALS', 'NOT_EQUALS', 'IN'])

const LOAN_NOT_FOUND = { code: 'LOAN_NOT_FOUND', refuse: notFound }

export const loanDetails: Read<ItemBody<LoanDetailsInput>, LoanModel> = (context, { itemData }) => {
  const loan = ofKind(readableLoan(context, itemData.escrow, LOAN_NOT_FOUND).entry.committed, 'loan')
  if (loan === undefined)
    throw notFound(LOAN_NOT_FOUND.code, 'the lookup matches no escrow of a loan', '/itemData/escrow')
  const until = itemData.computeEstimatedInterestUntil
  return loanModel(context, loan, until === undefined ? undefined : Math.floor(Date.parse(until) / 1000))
}

export const fetchLoans: Read<BulkInput, PageOf<LoanModel>> = async ({ platform, call }, { itemQuery }) => {
  const { count, items } = await answerLoans({ platform, call }, asOpen(itemQuery))
  await readScales(
    { platform, call },
    items.flatMap(({ context }) => [...context.pledged, ...context.debts].map(({ instrument }) => instrument.address)),
  )
  return {
    count,
    items: await atHand(platform.engine, () => onEach(items, (state) => loanModel({ platform, call }, state))),
  }
}

/** The interface uses ACTIVE in filters and OPEN in answers. */
function asOpen(query: Query): Query {
  return query.filter === undefined
    ? query
    : { ...query, filter: query.filter.map((each) => (each.fieldName === 'status' ? withOpenStatus(each) : each)) }
}

function withOpenStatus(filter: Filter): Filter {
  const value = (filterValue: FilterValue): FilterValue => {
    const { filterType, valueString, valuesString } = filterValue
    const ignoresCase = !EXACT.has(filterType)
    const open = (text: string): string => ((ignoresCase ? text.toUpperCase() : text) === 'ACTIVE' ? 'OPEN' : text)
    return {
      ...filterValue,
      ...(valueString === undefined ? {} : { valueString: open(valueString) }),
      ...(valuesString === undefined ? {} : { valuesString: valuesString.map(open) }),
    }
  }
  return { ...filter, filterValues: filter.filterValues.map(value) }
}
