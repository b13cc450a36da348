// Routes of loans and lending strategies; part of routes.ts.
import { LOANS, STRATEGIES } from '../../operations/views/bulk/loans.ts'
import { closeLoan } from '../../operations/loans/close.ts'
import { createLoan } from '../../operations/loans/create.ts'
import { createStrategy } from '../../operations/loans/create-strategy.ts'
import { fetchLoans, loanDetails } from '../../operations/loans/details.ts'
import { fetchStrategies, strategyDetails } from '../../operations/loans/strategy-details.ts'
import { liquidateLoan } from '../../operations/loans/liquidate.ts'
import { refinanceLoan } from '../../operations/loans/refinance.ts'
import { repayLoan } from '../../operations/loans/repay.ts'
import { swapCollateral } from '../../operations/loans/swap-collateral.ts'
import { updateStrategy } from '../../operations/loans/update-strategy.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import * as loanAnswers from '../../contract/schemas/loan-answers.ts'
import * as loans from '../../contract/schemas/loan.ts'

export const LOAN_ROUTES: readonly Route[] = group(
  { tag: 'Loans', path: '/api/v1/loans', reads: ['LOANS_READ'], writes: ['LOANS_WRITE'] },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a loan',
      schema: transactionBody(loans.newLoan),
      operation: createLoan,
      status: 201,
      transaction: 'always',
      answer: answers.createdByPlan('newLoan'),
    }),
    read({
      path: '/single',
      summary: 'Fetch a loan',
      schema: loans.loanDetailsBody,
      operation: loanDetails,
      notFound: true,
      answer: loanAnswers.loan,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch loans',
      schema: bulkBody(LOANS),
      operation: fetchLoans,
      notFound: true,
      answer: answers.page(loanAnswers.loan),
    }),
    write({
      method: 'PATCH',
      path: '/swap-collateral',
      summary: 'Swap collateral of a loan',
      schema: transactionBody(loans.swapCollateral),
      operation: swapCollateral,
      status: 200,
      transaction: 'if requested',
      answer: answers.createdByPlan('updatedLoan'),
    }),
    write({
      method: 'PATCH',
      path: '/repay',
      summary: 'Repay a loan',
      schema: transactionBody(loans.repayLoan),
      operation: repayLoan,
      status: 200,
      transaction: 'if requested',
      answer: answers.createdByPlan('updatedLoan'),
    }),
    write({
      method: 'PATCH',
      path: '/close',
      summary: 'Close a loan',
      schema: transactionBody(loans.loanReference),
      operation: closeLoan,
      status: 200,
      transaction: 'always',
      answer: answers.createdByPlan('closedLoan'),
    }),
    write({
      method: 'PATCH',
      path: '/refinance',
      summary: 'Refinance a loan',
      schema: transactionBody(loans.refinanceLoan),
      operation: refinanceLoan,
      status: 200,
      transaction: 'if requested',
      answer: answers.created('updatedLoan'),
    }),
    write({
      method: 'PATCH',
      path: '/liquidate',
      summary: 'Liquidate a loan',
      schema: transactionBody(loans.loanReference),
      operation: liquidateLoan,
      status: 200,
      transaction: 'always',
      answer: answers.created('updatedLoan'),
    }),
    write({
      method: 'POST',
      path: '/strategies',
      summary: 'Create a lending strategy of a vault',
      schema: itemBody(loans.newStrategy),
      operation: createStrategy,
      status: 201,
      transaction: 'never',
      answer: answers.changed('newStrategy'),
    }),
    write({
      method: 'PATCH',
      path: '/strategies',
      summary: 'Update a lending strategy',
      schema: itemBody(loans.strategyChanges),
      operation: updateStrategy,
      status: 200,
      transaction: 'never',
      answer: answers.changed('updatedStrategy'),
    }),
    read({
      path: '/strategies/single',
      summary: 'Fetch a lending strategy',
      schema: itemBody(loans.strategyReference),
      operation: strategyDetails,
      answer: loanAnswers.strategy,
    }),
    read({
      path: '/strategies/bulk',
      summary: 'Fetch lending strategies',
      schema: bulkBody(STRATEGIES),
      operation: fetchStrategies,
      answer: answers.page(loanAnswers.strategy),
    }),
  ],
)
