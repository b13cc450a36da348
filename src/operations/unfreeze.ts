// PATCH /admin/unfreeze: an account, an organization or everything; it may be signed with again.
import { administer } from './access/administer.ts'
import { turn, type FreezeInput } from './access/freeze-target.ts'
import type { ItemBody } from './input.ts'
import type { Write } from './platform.ts'

export const unfreeze: Write<ItemBody<FreezeInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => {
    const target = turn(platform, call, unit, itemData, 'command.unfreeze')
    return { members: { unfrozen: target } }
  })
