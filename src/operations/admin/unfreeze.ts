// PATCH /admin/unfreeze: allows signatures of an account, an organization or everything again.
import { administer } from './administer.ts'
import { readOthersAt, setSwitch } from './freeze-target.ts'
import type { FreezeInput } from '../../contract/schemas/admin.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { unfrozen } from '../../contract/schemas/answers.ts'

type Members = MembersOf<typeof unfrozen>

export const unfreeze: Write<ItemBody<FreezeInput>, Members> = async (context, { itemData }) => {
  await readOthersAt(context, itemData)
  return await administer(context, (unit) => {
    const target = setSwitch(context, unit, itemData, 'command.unfreeze')
    return { members: { unfrozen: target } }
  })
}
