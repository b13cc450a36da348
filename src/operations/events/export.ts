// Exports records and events as JSON lines, as they are stored, of one tenant or of all. Never contains private keys or
// signed bytes, which are stored in other rows. Sequences of events count within their tenant.
import { checkRow } from '../../../snapshots/backup/check-row.ts'
import type { Store } from '../../../snapshots/store.ts'
import { namedContext } from '../../engine/records/codec.ts'
import { eventOf, storedEvents } from './log.ts'

export interface ExportScope {
  readonly what: 'events' | 'records'
  /** Events with a sequence above this one. */
  readonly after: number
  /** null: all tenants. */
  readonly tenant: string | null
}

export type ExportStore = Pick<Store, 'events' | 'tenants' | 'view'>

/** Rows that the pattern selects are ordered by tenant. */
const RECORD_KEYS = /^[rt]!/

/** Each line ends with a line feed. Throws if the export cannot be complete. */
export function exportLines(store: ExportStore, scope: ExportScope): AsyncGenerator<string, void, undefined> {
  return scope.what === 'events' ? eventLines(store, scope) : recordLines(store, scope)
}

async function* eventLines(
  store: ExportStore,
  { after, tenant: only }: ExportScope,
): AsyncGenerator<string, void, undefined> {
  for (const tenant of await store.tenants()) {
    if (only !== null && tenant !== only) continue
    for await (const { sequence, row } of storedEvents(store, tenant, after)) {
      const { seenBy: _, ...event } = eventOf(tenant, sequence, row)
      yield `${JSON.stringify({ tenant, ...event })}\n`
    }
  }
}

/** Exports the state as of the first read. */
async function* recordLines(
  store: ExportStore,
  { tenant: only }: ExportScope,
): AsyncGenerator<string, void, undefined> {
  const view = store.view()
  try {
    for await (const page of view.everything()) {
      for (const [key, text] of page) {
        const row = RECORD_KEYS.test(key) ? checkRow(key, text) : null
        if (row?.type !== 'record' || (only !== null && row.envelope.tenant !== only)) continue
        const { tenant, cluster, kind, id, version, revision, value } = row.envelope
        const context = namedContext(row.envelope)
        yield `${JSON.stringify({ tenant, cluster, kind, id, version, revision, value, context })}\n`
      }
    }
  } finally {
    await view.close()
  }
}
