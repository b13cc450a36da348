// The store row with a webhook's sealed secrets.
import type { Engine } from '../../engine/engine.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { WebhookReference, WebhookSecret, WebhookSecrets } from '../../keys/webhook-secret.ts'

/** The durable secrets, newest first. Throws if they cannot be opened. */
export function secretsOf(
  engine: Engine,
  secrets: WebhookSecrets,
  { tenant, cluster, id }: RecordState<'webhook'>,
): readonly WebhookSecret[] {
  return secrets.open({ tenant, cluster, id }, engine.store.secret(tenant, cluster, id))
}

/** Writes the secrets in the batch of the change they belong to. */
export function keepSecrets(
  unit: UnitOfWork,
  secrets: WebhookSecrets,
  reference: WebhookReference,
  kept: readonly WebhookSecret[],
): void {
  const { tenant, cluster, id } = reference
  unit.also(tenant, { type: 'secret', tenant, cluster, id, row: secrets.seal({ tenant, cluster, id }, kept) })
}
