// POST /market-data/onchain-data-source/bulk: data sources by filter.
import { answerVisible } from '../views/bulk/fetch.ts'
import { DATA_SOURCE_SOURCE } from '../views/bulk/sources.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { Read } from '../context/platform.ts'
import { dataSourceModel } from '../views/read-models/data-source.ts'
import type { DataSourceModel } from '../../contract/schemas/data-source-answers.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const fetchDataSources: Read<BulkInput, PageOf<DataSourceModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerVisible(context, DATA_SOURCE_SOURCE, itemQuery)
  return { count, items: items.map((state) => dataSourceModel(context, state)) }
}
