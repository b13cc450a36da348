// POST /webhooks: creates a target of events. The answer contains its signing secret, which cannot be read later.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NewWebhookInput } from '../../contract/schemas/webhook.ts'
import { generateWebhookSecret } from '../../keys/webhook-secret.ts'
import { OutboundRefused } from '../context/outbound/outbound.ts'
import type { Platform, Write, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { secretBox } from './named.ts'
import { keepSecrets } from './secrets.ts'
import type { WithId } from '../../contract/schemas/members.ts'
import { webhooksKey } from '../../engine/index/index-keys.ts'

type Members = WithId<'newWebhook'>

/** Includes disabled webhooks, since they can be enabled again. */
const MAX_OF_ORGANIZATION = 100

export const createWebhook: Write<ItemBody<NewWebhookInput>, Members> = async (context, { itemData }) => {
  const { platform, call } = context
  await checkTarget(platform, itemData.url)
  return await changeRecords(context, (unit) => {
    const { tenant, organization, cluster, caller } = call
    const secrets = secretBox(platform)
    if (countWebhooks(context) >= MAX_OF_ORGANIZATION)
      throw badRequest('TOO_MANY_WEBHOOKS', `an organization has at most ${MAX_OF_ORGANIZATION} webhooks`, '')
    const place = { tenant, cluster, id: platform.ids() }
    const secret = generateWebhookSecret()
    unit.create('webhook', place, {
      webhook: {
        organization,
        url: itemData.url,
        eventTypes: itemData.eventTypes ?? ['*'],
        createdAt: new Date(platform.clock.now()).toISOString(),
        createdBy: caller.keyId,
        cursor: platform.events?.lastSequence(tenant) ?? 0,
        waiting: [],
        round: 0,
        attempts: [],
        lastDeliveredAt: null,
        rotatedAt: null,
        previousSecretUntil: null,
        disabledAt: null,
        disabledBecause: null,
      },
    })
    keepSecrets(unit, secrets, place, [{ secret, until: null }])
    return { members: { newWebhook: { offchainId: place.id } }, secrets: { secret } }
  })
}

/** Throws 400 `OUTBOUND_NOT_ALLOWED`. The host name is resolved and checked again at every delivery. */
async function checkTarget(platform: Platform, url: string): Promise<void> {
  try {
    await platform.outbound?.check(url)
  } catch (error) {
    if (error instanceof OutboundRefused)
      throw badRequest(
        'OUTBOUND_NOT_ALLOWED',
        `the service may not deliver to this URL: ${error.message}`,
        '/itemData/url',
      )
    throw error
  }
}

function countWebhooks({ platform: { engine }, call: { cluster, organization } }: Context): number {
  return engine.directory.find(webhooksKey(cluster, organization)).length
}
