// PATCH /admin/lanes/suspend: stops submissions of a cluster, an organization or an account's lane until they are
// resumed. Requests are accepted as before; signed transactions are queued within the bounds of the lanes.
import { administer } from './administer.ts'
import { readOthersAt } from './freeze-target.ts'
import { turnLanes } from './lane-target.ts'
import type { LaneInput } from '../../contract/schemas/admin.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import type { ShownLanes } from './lane-target.ts'

type Members = { readonly suspended: ShownLanes }

export const suspendLanes: Write<ItemBody<LaneInput>, Members> = async (context, { itemData }) => {
  await readOthersAt(context, itemData)
  return await administer(context, (unit) => ({
    members: { suspended: turnLanes(context, unit, itemData, 'command.suspend') },
  }))
}
