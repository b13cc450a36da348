// Which events a webhook gets: those that its organization may see, in its cluster, of the types it names.
import type { RecordState } from '../../engine/record.ts'
import type { EventRecord } from '../events/port.ts'

export interface Wanting {
  readonly cluster: string
  readonly context: Pick<RecordState<'webhook'>['context'], 'organization' | 'eventTypes'>
}

/** An event as far as this depends on it. `seenBy`: other organizations that may see it, where the log says. */
export type Judged = Pick<EventRecord, 'type' | 'tenantOrganizationId' | 'chainClusterId'> & {
  readonly seenBy?: readonly string[] | 'shared'
}

export function wants({ cluster, context: { organization, eventTypes } }: Wanting, event: Judged): boolean {
  const { seenBy = [] } = event
  const visible = event.tenantOrganizationId === organization || seenBy === 'shared' || seenBy.includes(organization)
  return visible && event.chainClusterId === cluster && eventTypes.some((pattern) => matches(pattern, event.type))
}

/** A pattern that ends with `*` is the beginning of types. */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}
