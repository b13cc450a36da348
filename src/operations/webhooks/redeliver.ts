// PATCH /webhooks/redeliver: delivers all events from a given one again; without one, retries failed events at once.
// Both enable a disabled webhook, which then receives the events of the time in between.
import type { EventLog } from '../../contract/event-record.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { RedeliverWebhookInput } from '../../contract/schemas/webhook.ts'
import type { Platform, Write } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { command } from '../context/command.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { webhookOf } from './named.ts'
import { receivesEvent } from './event-filter.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { redelivered } from '../../contract/schemas/webhook.ts'

type Members = MembersOf<typeof redelivered>

/** Number of recent events searched for an id; older events are named by sequence. */
const EVENTS_SEARCHED = 10_000
const PAGE = 500

export const redeliverWebhook: Write<ItemBody<RedeliverWebhookInput>, Members> = async (context, { itemData }) => {
  const { platform } = context
  const { offchainId, eventId, sequence } = itemData
  const { state } = webhookOf(context, offchainId)
  const from = eventId === undefined ? sequence : await sequenceOf(platform, state, eventId)
  return await changeRecords(context, (unit) => {
    const { entry } = webhookOf(context, offchainId)
    const at = new Date(platform.clock.now()).toISOString()
    const pointer = eventId === undefined ? '/itemData/sequence' : '/itemData/eventId'
    command<'webhook'>(
      unit,
      entry,
      { type: 'command.redeliver', at, after: from === undefined ? null : from - 1 },
      pointer,
    )
    return { members: { redeliveredWebhook: { offchainId, ...(from === undefined ? {} : { fromSequence: from }) } } }
  })
}

/** Throws 400 `EVENT_NOT_FOUND`, whether the event does not exist or is not for this webhook. */
async function sequenceOf(
  platform: Platform,
  webhook: Parameters<typeof receivesEvent>[0] & { readonly tenant: string },
  eventId: string,
): Promise<number> {
  const events: EventLog | undefined = platform.events
  let after = Math.max(0, (events?.lastSequence(webhook.tenant) ?? 0) - EVENTS_SEARCHED)
  while (events !== undefined) {
    const page = await events.after(webhook.tenant, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) break
    const event = page.find((each) => each.id === eventId && receivesEvent(webhook, each))
    if (event !== undefined) return event.sequence
    after = last.sequence
  }
  throw badRequest(
    'EVENT_NOT_FOUND',
    'the webhook has no such event; use the sequence for an old event',
    '/itemData/eventId',
  )
}
