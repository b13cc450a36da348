// The list of loans. The parties of a loan know its accounts by different records: a query that names ids of such
// records is evaluated on the loans as the caller sees them, which no table holds. The table narrows them down first.
import type { QueryAnswer } from '../../../engine/query/answer.ts'
import type { Filter, Query } from '../../../engine/query/field.ts'
import type { RecordState } from '../../../engine/records/record.ts'
import type { Context } from '../../context/platform.ts'
import { addressKnownBy } from '../loan-accounts.ts'
import { ALL, answerOwn, compiledQuery, equals } from './fetch.ts'
import { addressesOf, dependsOnReader, LOAN_SOURCE, loansSeenBy } from './loans.ts'

/** Loans of the caller's organization, in the cluster of the call. Throws 400. */
export async function answerLoans(context: Context, query: Query): Promise<QueryAnswer<RecordState<'loan'>>> {
  const { filter = [], sort = [] } = query
  if (![...filter, ...sort].some(dependsOnReader)) return await answerOwn(context, LOAN_SOURCE, query)
  const seen = loansSeenBy(context)
  const compiled = compiledQuery(seen, query)
  const narrowing = filter.flatMap((each) => (dependsOnReader(each) ? atAddresses(context, each) : [each]))
  const { items } = await answerOwn(context, LOAN_SOURCE, { filter: narrowing, limit: ALL })
  return await context.platform.engine.readModel.among(seen, items, compiled)
}

/** Conditions on addresses that each loan meets which the filter finds. */
function atAddresses(context: Context, { fieldName, operator, filterValues }: Filter): readonly Filter[] {
  if (operator === 'OR' && filterValues.length > 1) return []
  return filterValues.flatMap(({ filterType, valueString = '' }) =>
    // No loan has an account without an address.
    filterType === 'EQUALS'
      ? [equals(addressesOf(fieldName), addressKnownBy(context, valueString.toLowerCase()) ?? '')]
      : [],
  )
}
