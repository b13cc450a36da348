// Builds the outgoing messages of a unit of work: one per recipient, with its items, events and audit entries.
import type { AuditEntry } from '../audit/audit-row.ts'
import type { DomainEvent } from '../events/domain-events.ts'
import type { TenantMessage, MessageItem } from './message.ts'

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
