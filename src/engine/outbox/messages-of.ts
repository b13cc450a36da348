// Builds the outgoing messages of a unit of work: one per recipient, with its items, events and audit entries.
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import { listed } from '../index/listing.ts'
import type { RecordState } from '../records/record.ts'
import { EVERYBODY, type TenantMessage, type MessageItem } from './message.ts'

interface Changed {
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

/**
 * @param events events for logs of other tenants
 * @param auditEntries entries for audit logs of other tenants
 */
export function messagesOf(
  sent: readonly TenantMessage[],
  events: readonly DomainEvent[],
  auditEntries: readonly AuditEntry[],
): readonly TenantMessage[] {
  if (events.length === 0 && auditEntries.length === 0) return sent
  const items = new Map<string, MessageItem[]>(sent.map((message) => [message.to, [...message.notices]]))
  const add = (to: string, item: MessageItem): void => {
    const known = items.get(to)
    if (known === undefined) items.set(to, [item])
    else known.push(item)
  }
  for (const each of events) add(each.tenant, { kind: 'event', told: each })
  for (const auditEntry of auditEntries) add(auditEntry.tenant, { kind: 'deed', deed: auditEntry })
  return [...items].map(([to, all]) => ({ to, notices: all }))
}

/** The message that updates the public account facts of other processes; none if no fact has changed. */
export function listedTo(changes: readonly Changed[]): TenantMessage[] {
  const items = changes.flatMap(({ previous, next }) => {
    const change = listed(previous, next)
    return change === undefined ? [] : [{ kind: 'listed', listed: change } as const]
  })
  return items.length === 0 ? [] : [{ to: EVERYBODY, notices: items }]
}
