// The endpoints of counterparties: a page of routes.ts.
import { createCounterparty } from '../../operations/counterparties/create.ts'
import { counterpartyDetails, fetchCounterparties } from '../../operations/counterparties/read.ts'
import { updateCounterparty } from '../../operations/counterparties/update.ts'
import { COUNTERPARTIES } from '../../operations/views/bulk/counterparties.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as counterparties from '../../contract/schemas/counterparty.ts'

export const COUNTERPARTY_ROUTES: readonly Route[] = group(
  {
    tag: 'Counterparties',
    path: '/api/v1/counterparties',
    alsoBare: true,
    reads: ['ACCOUNTS_READ', 'COUNTERPARTIES_WRITE'],
    writes: ['COUNTERPARTIES_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a counterparty',
      schema: itemBody(counterparties.newCounterparty),
      operation: createCounterparty,
      status: 201,
      transaction: 'never',
      answer: counterparties.createdCounterparty,
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update a counterparty',
      schema: itemBody(counterparties.counterpartyChanges),
      operation: updateCounterparty,
      status: 200,
      transaction: 'never',
      answer: counterparties.updatedCounterparty,
    }),
    read({
      path: '/single',
      summary: 'Fetch a counterparty',
      schema: itemBody(counterparties.counterpartyLookup),
      operation: counterpartyDetails,
      answer: counterparties.counterparty,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch counterparties',
      schema: bulkBody(COUNTERPARTIES),
      operation: fetchCounterparties,
      answer: answers.page(counterparties.counterparty),
    }),
  ],
)
