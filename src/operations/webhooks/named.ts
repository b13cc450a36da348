// The webhook that a request names, and the store of webhook secrets.
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { WebhookSecrets } from '../../keys/webhook-secret.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'

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
