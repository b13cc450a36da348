// PATCH /admin/lanes/resume: sends suspended transactions in their order of arrival, as far as they can still land.
import { administer } from './administer.ts'
import { readOthersAt } from './freeze-target.ts'
import { turnLanes } from './lane-target.ts'
import type { LaneInput } from '../../contract/schemas/admin.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import type { ShownLanes } from './lane-target.ts'

type Members = { readonly resumed: ShownLanes }

export const resumeLanes: Write<ItemBody<LaneInput>, Members> = async (context, { itemData }) => {
  await readOthersAt(context, itemData)
  return await administer(context, (unit) => ({
    members: { resumed: turnLanes(context, unit, itemData, 'command.resume') },
  }))
}
