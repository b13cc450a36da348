// The endpoint of statements: a page of routes.ts.
import { fetchStatement } from '../../operations/statements/statement.ts'
import { group, stream, type Route } from '../route.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import { newStatement, statement } from '../../contract/schemas/statement.ts'

/** Besides, the operation requires the reading roles of the records that the statement covers. */
export const STATEMENT_ROUTES: readonly Route[] = group(
  {
    tag: 'Statements',
    path: '/api/v1/statements',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['TRANSACTIONS_READ'],
  },
  [
    stream({
      path: '',
      summary: 'Issue a statement',
      schema: itemBody(newStatement),
      operation: fetchStatement,
      answer: statement,
      alsoAs: ['text/csv'],
    }),
  ],
)
