// PATCH /admin/lanes/suspend: stops submissions of a cluster, an organization or an account's lane until they are
// resumed. Requests are accepted as before; signed transactions are queued within the bounds of the lanes.
import { administer } from './administer.ts'
import { turnLanes, type LaneInput } from './lane-target.ts'
import type { ItemBody } from '../../contract/input.ts'
import type { Write } from '../context/platform.ts'

export const suspendLanes: Write<ItemBody<LaneInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => ({
    members: { suspended: turnLanes(platform, call, unit, itemData, 'command.suspend') },
  }))
