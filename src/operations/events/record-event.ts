import type { DomainEvent } from '../../engine/events/domain-events.ts'

interface Owned {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly context: { readonly organization: string }
}

/** An event about a record that has no address on chain. `data`: its read model. */
export function recordEvent(type: string, { tenant, cluster, id, context }: Owned, data: object): DomainEvent {
  return { tenant, cluster, organization: context.organization, type, onchainId: null, offchainId: id, data }
}
