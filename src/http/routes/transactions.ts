// Routes of transactions.
import { z } from 'zod'
import { approveTransaction } from '../../operations/signing/approve.ts'
import { attestTransaction } from '../../operations/signing/attest.ts'
import { cancelTransaction } from '../../operations/signing/cancel.ts'
import { TRANSACTIONS } from '../../operations/views/bulk/resources.ts'
import { listTransactions } from '../../operations/signing/list.ts'
import { explainTransaction } from '../../operations/signing/explain.ts'
import { signTransaction } from '../../operations/signing/sign.ts'
import { submitTransaction } from '../../operations/signing/submit.ts'
import { transactionDetails } from '../../operations/signing/details.ts'
import { transactionStatus } from '../../operations/signing/status.ts'
import { batchResult } from '../../contract/schemas/batch.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { explanation, transactionRecord } from '../../contract/schemas/transaction-answers.ts'
import * as levels from '../../contract/schemas/levels.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as transactions from '../../contract/schemas/transaction.ts'
import { transactionReference } from '../../contract/schemas/transaction.ts'

const resultOrBatch = z.union([answers.transactionResult, batchResult])

export const TRANSACTION_ROUTES: readonly Route[] = group(
  { tag: 'Transactions', path: '/api/v1/transactions', reads: ['TRANSACTIONS_READ'], writes: ['TRANSACTIONS_WRITE'] },
  [
    read({
      path: '/status',
      summary: 'Fetch the status of a transaction',
      schema: itemBody(transactionReference),
      operation: transactionStatus,
      answer: answers.transactionResult,
    }),
    read({
      path: '/single',
      summary: 'Fetch a transaction',
      schema: itemBody(transactionReference),
      operation: transactionDetails,
      answer: transactionRecord,
    }),
    read({
      path: '/bulk/{detail-level}',
      summary: 'Fetch transactions',
      schema: bulkBody(TRANSACTIONS),
      operation: listTransactions,
      answer: levels.transactions,
    }),
    read({
      path: '/explain',
      summary: 'Explain a transaction',
      schema: itemBody(transactionReference),
      operation: explainTransaction,
      answer: explanation,
    }),
    write({
      method: 'POST',
      path: '/sign',
      summary: 'Sign a transaction',
      schema: itemBody(transactions.signTransaction),
      operation: signTransaction,
      status: 200,
      transaction: 'never',
      answer: answers.signed,
    }),
    write({
      method: 'POST',
      path: '/submit',
      summary: 'Submit a transaction',
      schema: itemBody(transactions.submitTransaction),
      operation: submitTransaction,
      status: 200,
      transaction: 'never',
      answer: answers.transactionResult,
    }),
    write({
      method: 'POST',
      path: '/approve',
      summary: 'Approve a transaction or batch that exceeds debit limits',
      roles: ['DEBIT_LIMIT_APPROVE'],
      schema: itemBody(transactions.approveTransaction),
      operation: approveTransaction,
      status: 200,
      transaction: 'never',
      answer: resultOrBatch,
    }),
    write({
      method: 'PATCH',
      path: '/attest',
      summary: 'Attest the outcome of a transaction',
      roles: ['PLATFORM_ADMIN'],
      schema: itemBody(transactions.attestTransaction),
      operation: attestTransaction,
      status: 200,
      transaction: 'never',
      answer: answers.transactionResult,
    }),
    write({
      method: 'PATCH',
      path: '/cancel',
      summary: 'Cancel a transaction or a batch',
      roles: ['TRANSACTIONS_WRITE', 'DEBIT_LIMIT_APPROVE'],
      schema: itemBody(transactions.cancelTransaction),
      operation: cancelTransaction,
      status: 200,
      transaction: 'never',
      answer: resultOrBatch,
    }),
  ],
)
