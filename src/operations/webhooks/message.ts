// The HTTP message of an event: body and headers of Standard Webhooks 1.0. Id and body are the same in every attempt.
import { signWebhook } from '../../keys/webhook-secret.ts'
import type { EventRecord } from '../../contract/schemas/event.ts'

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param secrets all valid secrets: a receiver that knows any one of them can verify the message */
export function messageOf(event: EventRecord, secrets: readonly string[], nowMs: number): Message {
  const { id, sequence, type, at, tenantOrganizationId, chainClusterId, resource, data } = event
  const body = JSON.stringify({
    type,
    timestamp: at,
    data,
    id,
    sequence,
    at,
    tenantOrganizationId,
    chainClusterId,
    resource,
  })
  const timestamp = String(Math.floor(nowMs / 1000))
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => signWebhook(secret, `${id}.${timestamp}.${body}`)).join(' '),
    },
    body,
  }
}
