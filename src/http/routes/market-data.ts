// Routes of onchain data sources.
import { createDataSource } from '../../operations/market-data/create.ts'
import { dataSourceDetails } from '../../operations/market-data/data-source-details.ts'
import { fetchDataSources } from '../../operations/market-data/fetch.ts'
import { refreshDataSource } from '../../operations/market-data/refresh.ts'
import { DATA_SOURCES } from '../../operations/views/bulk/data-sources.ts'
import { updateDataSource } from '../../operations/market-data/update.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { dataSource, refreshedDataSource } from '../../contract/schemas/data-source-answers.ts'
import { bulkBody } from '../../contract/values/bulk.ts'
import { itemBody, transactionBody } from '../../contract/values/chain-config.ts'
import * as marketData from '../../contract/schemas/market-data.ts'

export const MARKET_DATA_ROUTES: readonly Route[] = group(
  {
    tag: 'Market data',
    path: '/api/v1/market-data/onchain-data-source',
    reads: ['MARKET_DATA_READ'],
    writes: ['MARKET_DATA_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create an onchain data source',
      schema: transactionBody(marketData.newDataSource),
      operation: createDataSource,
      status: 201,
      transaction: 'always',
      answer: answers.created('newOnchainDataSource'),
    }),
    write({
      method: 'PATCH',
      path: '',
      summary: 'Update the definition of a data source',
      schema: transactionBody(marketData.dataSourceChanges),
      operation: updateDataSource,
      status: 200,
      transaction: 'if requested',
      answer: answers.created('updatedOnchainDataSource'),
    }),
    write({
      method: 'PATCH',
      path: '/refresh',
      summary: 'Refresh a data source',
      schema: transactionBody(marketData.namedDataSource.meta({ id: 'RefreshOnchainDataSource' })),
      operation: refreshDataSource,
      status: 200,
      transaction: 'always',
      answer: refreshedDataSource,
    }),
    read({
      path: '/single',
      summary: 'Fetch a data source',
      schema: itemBody(marketData.namedDataSource),
      operation: dataSourceDetails,
      answer: dataSource,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch data sources',
      schema: bulkBody(DATA_SOURCES),
      operation: fetchDataSources,
      answer: answers.page(dataSource),
    }),
  ],
)
