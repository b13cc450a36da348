// PATCH /admin/api-keys/disable: disables an API key, or the subject of an issuer's tokens, permanently.
import { administer } from './administer.ts'
import { disableSubject, isSubject } from '../lookup/subjects.ts'
import { apiKeyWithin } from '../lookup/within-reach.ts'
import type { DisableApiKeyInput } from '../../contract/schemas/admin.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { Write } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

type Members = { readonly keyId: string }

export const disableApiKey: Write<ItemBody<DisableApiKeyInput>, Members> = async (context, { itemData }) => {
  const { keyId, graceSeconds = 0 } = itemData
  if (graceSeconds > 0)
    throw badRequest('INVALID_VALUE', 'must be 0: a disabled key is refused at once', '/itemData/graceSeconds')
  return await administer(context, (unit) => {
    if (isSubject(keyId)) disableSubject(context, unit, keyId)
    else
      unit.order<'apiKey'>(apiKeyWithin(context, keyId, '/itemData/keyId').entry, {
        type: 'command.disable',
      })
    return { members: { keyId } }
  })
}
