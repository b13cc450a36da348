// Builds the outgoing messages of a unit of work: one per recipient, with its notices, events and audit entries.
import type { Deed } from '../audit/audit-row.ts'
import type { Told } from '../events/domain-events.ts'
import type { Letter, Notice } from './message.ts'

/**
 * @param told events for logs of other tenants
 * @param deeds entries for audit logs of other tenants
 */
export function lettersOf(sent: readonly Letter[], told: readonly Told[], deeds: readonly Deed[]): readonly Letter[] {
  if (told.length === 0 && deeds.length === 0) return sent
  const notices = new Map<string, Notice[]>(sent.map((letter) => [letter.to, [...letter.notices]]))
  const add = (to: string, notice: Notice): void => {
    const known = notices.get(to)
    if (known === undefined) notices.set(to, [notice])
    else known.push(notice)
  }
  for (const each of told) add(each.tenant, { kind: 'event', told: each })
  for (const deed of deeds) add(deed.tenant, { kind: 'deed', deed })
  return [...notices].map(([to, all]) => ({ to, notices: all }))
}
