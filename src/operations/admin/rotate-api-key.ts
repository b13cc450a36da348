// PATCH /admin/api-keys/rotate: generates a new secret for a key id. The previous secret stays valid for
// `graceSeconds`.
import { generateApiKey } from '../../keys/api-key.ts'
import { administer } from './administer.ts'
import { checkMayHold } from '../../contract/grant.ts'
import { apiKeyWithin } from '../lookup/within-reach.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { RotateApiKeyInput } from '../../contract/schemas/admin.ts'
import type { Write } from '../context/platform.ts'
import { keptSinceRequest, neededApprovals } from '../authorization/policies/changes.ts'
import type { KeptKey } from './create-api-key.ts'
import type { ChangeValues } from '../../contract/call.ts'
import { badRequest } from '../../contract/refusal.ts'
import { mayGiveKeys } from '../../contract/roles.ts'

type Members = { readonly keyId: string }

export const rotateApiKey: Write<ItemBody<RotateApiKeyInput>, Members> = (context, { itemData }) =>
  administer(context, (unit) => {
    const { caller } = context.call
    const { keyId, graceSeconds = 0 } = itemData
    const { entry, state } = apiKeyWithin(context, keyId, '/itemData/keyId', mayGiveKeys)
    const byItself = caller.keyId === keyId
    if (!byItself) checkMayHold(caller, state, '/itemData/keyId')
    const now = context.platform.clock.now()
    const { expiresAt } = state.context
    if (expiresAt !== null && Date.parse(expiresAt) <= now)
      throw badRequest('EXPIRED', 'the key has expired', '/itemData/keyId')
    const {
      tenant,
      context: { organization },
    } = state
    const change = {
      operation: 'API_KEYS',
      tenant,
      organizations: [organization, context.call.organization],
      target: keyId,
    } as const
    const decide = (): ChangeValues => {
      const { secretHash, apiKey } = generateApiKey(keyId)
      return { kept: { keyId, secretHash }, secrets: { apiKey } }
    }
    // A key replaces its own secret without approvals.
    const needed = byItself ? null : neededApprovals(context, change, decide)
    if (needed !== null) return needed
    const kept = byItself ? null : keptSinceRequest(context.call)
    const { apiKey, secretHash } = kept === null ? generateApiKey(keyId) : (kept as unknown as KeptKey)
    const graceUntil = graceSeconds > 0 ? new Date(now + graceSeconds * 1000).toISOString() : null
    unit.order<'apiKey'>(entry, {
      type: 'command.rotate',
      secretHash,
      graceUntil,
      at: new Date(now).toISOString(),
      byItself,
    })
    return { members: { keyId }, ...(apiKey === undefined ? {} : { secrets: { apiKey } }) }
  })
