// Routes of durable nonce accounts.
import { createNonces } from '../../operations/nonces/create.ts'
import { fetchNonces } from '../../operations/nonces/fetch.ts'
import { NONCES } from '../../operations/views/bulk/nonces.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { transactionBody } from '../../contract/values/chain-config.ts'
import * as nonces from '../../contract/schemas/nonce.ts'

export const NONCE_ROUTES: readonly Route[] = group(
  {
    tag: 'Durable nonce accounts',
    path: '/api/v1/durable-nonce-accounts',
    reads: ['NONCES_READ'],
    writes: ['NONCES_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create durable nonce accounts',
      schema: transactionBody(nonces.newNonces),
      operation: createNonces,
      status: 201,
      transaction: 'if requested',
      answer: answers.newNoncesAnswer,
    }),
    read({
      path: '/single',
      summary: 'Fetch durable nonce account details',
      schema: nonces.nonceDetailsBody(NONCES),
      operation: fetchNonces,
      answer: answers.page(answers.nonceDetails),
    }),
    read({
      path: '/bulk',
      summary: 'Fetch durable nonce accounts',
      schema: bulkBody(NONCES),
      operation: fetchNonces,
      answer: answers.page(answers.nonce),
    }),
  ],
)
