// PATCH /webhooks/disable: stops deliveries; the cursor of the webhook is kept.
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { NamedWebhook } from '../../contract/schemas/webhook.ts'
import type { Write } from '../context/platform.ts'
import { command } from '../context/command.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { webhookOf } from './named.ts'
import type { WithId } from '../../contract/schemas/members.ts'

type Members = WithId<'disabledWebhook'>

export const disableWebhook: Write<ItemBody<NamedWebhook>, Members> = (context, { itemData: { offchainId } }) =>
  changeRecords(context, (unit) => {
    const { entry } = webhookOf(context, offchainId)
    const at = new Date(context.platform.clock.now()).toISOString()
    command<'webhook'>(unit, entry, { type: 'command.disable', at }, '/itemData/offchainId')
    return { members: { disabledWebhook: { offchainId } } }
  })
