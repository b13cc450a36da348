// POST /batches/single, /batches/bulk, /batches/items/bulk
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import { answerOwn } from '../views/bulk/fetch.ts'
import { BATCH_ITEM_SOURCE, BATCH_SOURCE } from '../views/bulk/batches.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import type { Read } from '../context/platform.ts'
import { batchItemModel, batchModel } from '../views/read-models/batch.ts'
import { batchNamed } from './record.ts'
import type { BatchItemModel, BatchModel } from '../../contract/schemas/batch.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const batchDetails: Read<ItemBody<BatchReference>, BatchModel> = (platform, call, { itemData }) =>
  batchModel(batchNamed(platform, call, itemData.offchainId).batch)

export const fetchBatches: Read<BulkInput, PageOf<BatchModel>> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerOwn(platform, call, BATCH_SOURCE, itemQuery)
  return { count, items: items.map((state) => batchModel(state)) }
}

export const fetchBatchItems: Read<BulkInput, PageOf<BatchItemModel>> = async (platform, call, { itemQuery }) => {
  const { count, items } = await answerOwn(platform, call, BATCH_ITEM_SOURCE, itemQuery)
  return {
    count,
    items: await atHand(platform.engine, () => onEach(items, (state) => batchItemModel(platform, state))),
  }
}
