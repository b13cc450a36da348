// POST /market-data/onchain-data-source/single: a data source with its value on chain.
import type { ItemBody } from '../../contract/input.ts'
import type { NamedDataSourceInput } from '../../contract/market-data-input.ts'
import { visibleSource } from '../lookup/named-source.ts'
import type { Read } from '../context/platform.ts'
import { dataSourceModel } from '../views/read-models/data-source.ts'

export const dataSourceDetails: Read<ItemBody<NamedDataSourceInput>> = (platform, call, { itemData }) =>
  dataSourceModel(platform, call, visibleSource(platform, call, itemData.onchainDataSource))
