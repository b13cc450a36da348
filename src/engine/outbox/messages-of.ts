// Builds the outgoing messages of a unit of work: one per recipient, with its notices, events and audit entries.
import type { Deed } from '../audit/audit-row.ts'
import type { Told } from '../events/domain-events.ts'
import { listed } from '../index/listing.ts'
import type { RecordState } from '../records/record.ts'
import { EVERYBODY, type TenantMessage, type Notice } from './message.ts'

interface Changed {
  readonly previous: RecordState | undefined
  readonly next: RecordState
}

/**
 * @param told events for logs of other tenants
 * @param deeds entries for audit logs of other tenants
 */
export function messagesOf(
  sent: readonly TenantMessage[],
  told: readonly Told[],
  deeds: readonly Deed[],
): readonly TenantMessage[] {
  if (told.length === 0 && deeds.length === 0) return sent
  const notices = new Map<string, Notice[]>(sent.map((message) => [message.to, [...message.notices]]))
  const add = (to: string, notice: Notice): void => {
    const known = notices.get(to)
    if (known === undefined) notices.set(to, [notice])
    else known.push(notice)
  }
  for (const each of told) add(each.tenant, { kind: 'event', told: each })
  for (const deed of deeds) add(deed.tenant, { kind: 'deed', deed })
  return [...notices].map(([to, all]) => ({ to, notices: all }))
}

/** The message that updates the public account facts of other processes; none if no fact has changed. */
export function listedTo(changes: readonly Changed[]): TenantMessage[] {
  const notices = changes.flatMap(({ previous, next }) => {
    const change = listed(previous, next)
    return change === undefined ? [] : [{ kind: 'listed', listed: change } as const]
  })
  return notices.length === 0 ? [] : [{ to: EVERYBODY, notices }]
}
