// The endpoints of loans and lenders' strategies: a page of routes.ts.
import { STRATEGIES } from '../operations/bulk/loans.ts'
import { createStrategy } from '../operations/loans/create-strategy.ts'
import { fetchStrategies, strategyDetails } from '../operations/loans/strategy-details.ts'
import { updateStrategy } from '../operations/loans/update-strategy.ts'
import { group, read, write, type Route } from './route.ts'
import * as answers from './schemas/answers.ts'
import { bulkBody } from './schemas/bulk.ts'
import { itemBody } from './schemas/chain-config.ts'
import * as loanAnswers from './schemas/loan-answers.ts'
import * as loans from './schemas/loan.ts'

export const LOAN_ROUTES: readonly Route[] = group({ tag: 'Loans', path: '/api/v1/loans', reads: ['LOANS_READ'], writes: ['LOANS_WRITE'] }, [
  write({
    method: 'POST', path: '/strategies', summary: 'Create a lending strategy of a vault', schema: itemBody(loans.newStrategy),
    operation: createStrategy, status: 201, transaction: 'never', answer: answers.changed('newStrategy'),
  }),
  write({
    method: 'PATCH', path: '/strategies', summary: 'Update a lending strategy', schema: itemBody(loans.strategyChanges),
    operation: updateStrategy, status: 200, transaction: 'never', answer: answers.changed('updatedStrategy'),
  }),
  read({
    path: '/strategies/single', summary: 'Fetch a lending strategy', schema: itemBody(loans.strategyReference), operation: strategyDetails,
    answer: loanAnswers.strategy,
  }),
  read({
    path: '/strategies/bulk', summary: 'Fetch lending strategies', schema: bulkBody(STRATEGIES), operation: fetchStrategies,
    answer: answers.page(loanAnswers.strategy),
  }),
])
