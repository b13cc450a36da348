// POST /distributions/single, /distributions/bulk
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { DistributionReference } from '../../contract/schemas/distribution.ts'
import type { Read } from '../context/platform.ts'
import { DISTRIBUTION_SOURCE } from '../views/bulk/distributions.ts'
import { answerOwn } from '../views/bulk/fetch.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import { distributionModel } from '../views/read-models/distribution.ts'
import { distributionNamed } from './record.ts'
import type { DistributionModel } from '../../contract/schemas/distribution.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const distributionDetails: Read<ItemBody<DistributionReference>, DistributionModel> = (context, { itemData }) =>
  distributionModel(distributionNamed(context, itemData.offchainId).distribution)

export const fetchDistributions: Read<BulkInput, PageOf<DistributionModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, DISTRIBUTION_SOURCE, itemQuery)
  return { count, items: items.map((state) => distributionModel(state)) }
}
