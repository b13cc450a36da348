// PATCH /webhooks/disable: nothing is delivered any more; its place in the events is kept.
import type { ItemBody } from './input.ts'
import type { Write } from './platform.ts'
import { changeWebhook, tellWebhook, webhookOf } from './webhooks/administer.ts'
import type { WebhookInput } from './webhooks/input.ts'

export const disableWebhook: Write<ItemBody<WebhookInput>> = (platform, call, { itemData: { offchainId } }) =>
  changeWebhook(platform, call, (unit) => {
    const { entry } = webhookOf(platform, call, offchainId)
    const at = new Date(platform.clock.now()).toISOString()
    tellWebhook(unit, entry, { type: 'command.disable', at }, '/itemData/offchainId')
    return { members: { disabledWebhook: { offchainId } } }
  })
