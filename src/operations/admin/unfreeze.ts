// PATCH /admin/unfreeze: allows signatures of an account, an organization or everything again.
import { administer } from './administer.ts'
import { turn } from './freeze-target.ts'
import type { FreezeInput } from '../../contract/schemas/admin.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'

export const unfreeze: Write<ItemBody<FreezeInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => {
    const target = turn(platform, call, unit, itemData, 'command.unfreeze')
    return { members: { unfrozen: target } }
  })
