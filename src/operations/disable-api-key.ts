// PATCH /admin/api-keys/disable: an API key, or the subject of an issuer's tokens, opens nothing any more, for good.
import { administer } from './access/administer.ts'
import { disableSubject, isSubject } from './access/subjects.ts'
import { apiKeyWithin } from './access/within-reach.ts'
import type { DisableApiKeyInput, ItemBody } from './input.ts'
import type { Write } from './platform.ts'

export const disableApiKey: Write<ItemBody<DisableApiKeyInput>> = (platform, call, { itemData }) =>
  administer(platform, call, (unit) => {
    const { keyId } = itemData
    if (isSubject(keyId)) disableSubject(platform, call, unit, keyId)
    else unit.order<'apiKey'>(apiKeyWithin(platform, call.caller, keyId, '/itemData/keyId').entry, { type: 'command.disable' })
    return { members: { keyId } }
  })
