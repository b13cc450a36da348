// PATCH /admin/api-keys/disable: the key opens nothing any more, for good.
import { administer } from './access/administer.ts'
import { apiKeyWithin } from './access/within-reach.ts'
import type { DisableApiKeyInput, ItemBody } from './input.ts'
import type { Write } from './platform.ts'

export const disableApiKey: Write<ItemBody<DisableApiKeyInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => {
    const { keyId } = itemData
    const { entry } = apiKeyWithin(platform, call.caller, keyId, '/itemData/keyId')
    unit.order<'apiKey'>(entry, { type: 'command.disable' })
    return { members: { keyId } }
  })
