// The webhook read model. It contains no secret, only the time until which the previous secret still signs.
import type { RecordState } from '../../../engine/records/record.ts'
import type { WebhookModel } from '../../../contract/schemas/webhook.ts'

export function webhookModel({ id, value, context }: RecordState<'webhook'>): WebhookModel {
  const { url, eventTypes, organization, createdAt, createdBy, cursor, waiting, attempts } = context
  return {
    offchainId: id,
    tenantOrganizationId: organization,
    url,
    eventTypes,
    status: value === 'enabled' ? 'ENABLED' : 'DISABLED',
    disabled: value === 'disabled',
    disabledAt: context.disabledAt,
    disabledBecause: context.disabledBecause,
    createdAt,
    createdBy,
    rotatedAt: context.rotatedAt,
    previousSecretValidUntil: context.previousSecretUntil,
    lastSequence: cursor,
    lastDeliveredAt: context.lastDeliveredAt,
    waiting: waiting.map(({ resource, sequence, failures, dueAt }) => ({
      resourceOffchainId: resource,
      sequence,
      failures,
      nextAttemptAt: dueAt,
    })),
    deliveries: attempts.map(({ eventId, sequence, type, attempt, at, status, error }) => ({
      eventId,
      sequence,
      type,
      attempt,
      at,
      httpStatus: status,
      delivered: error === null,
      errorMessage: error,
    })),
  }
}
