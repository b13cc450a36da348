// Routes of address lookup tables.
import { createLookupTable } from '../../operations/lookup-tables/create.ts'
import { extendLookupTable } from '../../operations/lookup-tables/extend.ts'
import { lookupTableDetails } from '../../operations/lookup-tables/details.ts'
import { LOOKUP_TABLES } from '../../operations/views/bulk/resources.ts'
import { fetchLookupTables } from '../../operations/views/fetch-bulk.ts'
import { updateLookupTable } from '../../operations/lookup-tables/update.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import { accountLookup } from '../../contract/values/lookup.ts'
import * as tables from '../../contract/schemas/lookup-table.ts'

export const LOOKUP_TABLE_ROUTES: readonly Route[] = group(
  {
    tag: 'Address lookup tables',
    path: '/api/v1/address-lookup-tables',
    reads: ['LOOKUP_TABLES_READ'],
    writes: ['LOOKUP_TABLES_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create an address lookup table',
      schema: transactionBody(tables.newLookupTable),
      operation: createLookupTable,
      status: 201,
      transaction: 'if requested',
      answer: answers.createdByPlan('newAddressLookupTable'),
    }),
    write({
      method: 'PATCH',
      path: '/extend',
      summary: 'Extend an address lookup table',
      schema: transactionBody(tables.lookupTableExtension),
      operation: extendLookupTable,
      status: 200,
      transaction: 'always',
      answer: answers.createdByPlan('extendedAddressLookupTable'),
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update, freeze, deactivate or close an address lookup table',
      schema: transactionBody(tables.lookupTableChanges),
      operation: updateLookupTable,
      status: 200,
      transaction: 'if requested',
      answer: answers.created('updatedAddressLookupTable'),
    }),
    read({
      path: '/single',
      summary: 'Fetch an address lookup table',
      schema: itemBody(accountLookup),
      operation: lookupTableDetails,
      answer: answers.lookupTable,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch address lookup tables',
      schema: bulkBody(LOOKUP_TABLES),
      operation: fetchLookupTables,
      answer: answers.page(answers.lookupTable),
    }),
  ],
)
