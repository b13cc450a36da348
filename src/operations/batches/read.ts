// POST /batches/single, /batches/bulk, /batches/items/bulk
import { atHand, onEach } from '../../../snapshots/at-hand.ts'
import { answerOwn, equals } from '../views/bulk/fetch.ts'
import { BATCH_ITEM_SOURCE, BATCH_SOURCE } from '../views/bulk/batches.ts'
import type { BulkInput, PartsInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import type { Read } from '../context/platform.ts'
import { batchItemModel, batchModel } from '../views/read-models/batch.ts'
import { batchNamed } from './record.ts'
import type { BatchItemModel, BatchModel } from '../../contract/schemas/batch.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const batchDetails: Read<ItemBody<BatchReference>, BatchModel> = (context, { itemData }) =>
  batchModel(batchNamed(context, itemData.offchainId).batch)

export const fetchBatches: Read<BulkInput, PageOf<BatchModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, BATCH_SOURCE, itemQuery)
  return { count, items: items.map((state) => batchModel(state)) }
}

export const fetchBatchItems: Read<PartsInput, PageOf<BatchItemModel>> = async (context, { itemData, itemQuery }) => {
  const { platform } = context
  const scope =
    itemData === undefined ? [] : [equals('batchOffchainId', batchNamed(context, itemData.offchainId).batch.id)]
  const { count, items } = await answerOwn(context, BATCH_ITEM_SOURCE, itemQuery, scope)
  return {
    count,
    items: await atHand(platform.engine, () => onEach(items, (state) => batchItemModel(platform, state))),
  }
}
