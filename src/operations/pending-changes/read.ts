// POST /pending-changes/single, /pending-changes/bulk
import { answerOwn } from '../views/bulk/fetch.ts'
import { PENDING_CHANGE_SOURCE } from '../views/bulk/pending-changes.ts'
import type { BulkInput } from '../views/fetch-bulk.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { ChangeReference } from '../../contract/schemas/pending-change.ts'
import type { Read } from '../context/platform.ts'
import { pendingChangeModel } from '../views/read-models/pending-change.ts'
import { changeNamed } from './record.ts'
import type { PendingChangeModel } from '../../contract/schemas/pending-change.ts'
import type { PageOf } from '../../contract/schemas/answers.ts'

export const pendingChangeDetails: Read<ItemBody<ChangeReference>, PendingChangeModel> = (context, { itemData }) =>
  pendingChangeModel(changeNamed(context, itemData.offchainId).change)

export const fetchPendingChanges: Read<BulkInput, PageOf<PendingChangeModel>> = async (context, { itemQuery }) => {
  const { count, items } = await answerOwn(context, PENDING_CHANGE_SOURCE, itemQuery)
  return { count, items: items.map(pendingChangeModel) }
}
