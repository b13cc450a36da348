// POST /market-data/onchain-data-source/single: a data source, with the value that stands on chain.
import type { ItemBody } from './input.ts'
import type { NamedDataSourceInput } from './market-data/input.ts'
import { visibleSource } from './market-data/named-source.ts'
import type { Read } from './platform.ts'
import { dataSourceModel } from './read-models/data-source.ts'

export const dataSourceDetails: Read<ItemBody<NamedDataSourceInput>> = (platform, call, { itemData }) =>
  dataSourceModel(platform, call, visibleSource(platform, call, itemData.onchainDataSource))
