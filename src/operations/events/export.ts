// Records and events as lines of JSON, for whoever owns the data: every tenant's, as they are stored. Never private keys or signed bytes; those are rows of
// their own. Sequences of events count within their tenant.
import { checkRow } from '../../../snapshots/backup/check-row.ts'
import type { Store } from '../../../snapshots/store.ts'
import type { EventRow } from '../../engine/events/domain-events.ts'
import { eventOf } from './log.ts'

export interface ExportWish {
  readonly what: 'events' | 'records'
  /** Events with a sequence above it. */
  readonly after: number
  /** Null: all of them. */
  readonly tenant: string | null
}

export type ExportStore = Pick<Store, 'events' | 'tenants' | 'view'>

const EVENTS_AT_ONCE = 1_000
/** Rows that are read by it come one tenant after the other, in the order of keys. */
const RECORD_KEYS = /^[rt]!/

/** Each with its line feed. Throws rather than end early. */
export function exportLines(store: ExportStore, wish: ExportWish): AsyncGenerator<string, void, undefined> {
  return wish.what === 'events' ? eventLines(store, wish) : recordLines(store, wish)
}

async function* eventLines(store: ExportStore, { after, tenant: only }: ExportWish): AsyncGenerator<string, void, undefined> {
  for (const tenant of await store.tenants()) {
    if (only !== null && tenant !== only) continue
    let last = after
    for (;;) {
      const rows = await store.events(tenant, last, EVENTS_AT_ONCE)
      for (const { sequence, row } of rows) {
        const { seenBy: _, ...event } = eventOf(tenant, sequence, row as EventRow)
        yield `${JSON.stringify({ tenant, ...event })}\n`
        last = sequence
      }
      if (rows.length < EVENTS_AT_ONCE) break
    }
  }
}

/** As of the first read. */
async function* recordLines(store: ExportStore, { tenant: only }: ExportWish): AsyncGenerator<string, void, undefined> {
  const view = store.view()
  try {
    for await (const page of view.everything()) {
      for (const [key, text] of page) {
        const row = RECORD_KEYS.test(key) ? checkRow(key, text) : null
        if (row?.type !== 'record' || (only !== null && row.envelope.tenant !== only)) continue
        const { tenant, cluster, kind, id, version, revision, value, context } = row.envelope
        yield `${JSON.stringify({ tenant, cluster, kind, id, version, revision, value, context })}\n`
      }
    }
  } finally {
    await view.close()
  }
}
