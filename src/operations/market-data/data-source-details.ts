// POST /market-data/onchain-data-source/single: a data source with its value on chain.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NamedDataSourceInput } from '../../contract/schemas/market-data.ts'
import { visibleSource } from '../lookup/named-source.ts'
import type { Read } from '../context/platform.ts'
import { dataSourceModel } from '../views/read-models/data-source.ts'
import type { DataSourceModel } from '../../contract/schemas/data-source-answers.ts'

export const dataSourceDetails: Read<ItemBody<NamedDataSourceInput>, DataSourceModel> = (context, { itemData }) =>
  dataSourceModel(context, visibleSource(context, itemData.onchainDataSource))
