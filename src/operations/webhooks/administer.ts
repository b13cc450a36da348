// Changes webhooks by request: one unit of work, stored under the idempotency key without the secret, answered once
// it is durable.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { WebhookSecrets } from '../../keys/webhook-secret.ts'
import type { JsonObject, Outcome } from '../../contract/call.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

export interface Changed<Members extends JsonObject> {
  readonly members: Members
  /** Shown once, never stored in the clear. */
  readonly secrets?: JsonObject
}

export async function changeWebhook<Members extends JsonObject>(
  { platform, call }: Context,
  change: (unit: UnitOfWork) => Changed<Members>,
): Promise<Outcome<Members>> {
  const { result, durable } = platform.engine.transact((unit) => {
    const outcome: Outcome<Members> = { ...change(unit), transactions: [], shape: 'member', awaited: 'confirmed' }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}

export interface WebhookEntry {
  readonly entry: Entry
  readonly state: RecordState<'webhook'>
}

/** A webhook of the organization and cluster of the request. Throws 400 `WEBHOOK_NOT_FOUND`. */
export function webhookOf(
  { platform, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): WebhookEntry {
  const entry = platform.engine.directory.resident(offchainId)
  const state = ofKind(entry?.head, 'webhook')
  const isOwn = state?.tenant === tenant && state.cluster === cluster && state.context.organization === organization
  if (entry !== undefined && state !== undefined && isOwn) return { entry, state }
  throw badRequest('WEBHOOK_NOT_FOUND', 'the organization has no webhook with this id', '/itemData/offchainId')
}

/** Throws 400 `WEBHOOKS_OFF` if the service has no store of webhook secrets. */
export function secretBox(platform: Platform): WebhookSecrets {
  if (platform.webhookSecrets === undefined) throw badRequest('WEBHOOKS_OFF', 'this server does not deliver webhooks')
  return platform.webhookSecrets
}
