// Reads the records of a tenant when an engine opens. Ended transactions are compacted as they are read, and the rows
// of plain records stay unparsed (`index/plain-rows.ts`).
import { atHand, onEach, type RowSource } from '../../snapshots/at-hand.ts'
import { recordKey } from '../../snapshots/keys.ts'
import type { ColdKey } from '../../snapshots/not-at-hand.ts'
import { interpretRow, recordDecoder } from '../../snapshots/rows.ts'
import type { Envelope, Store } from '../../snapshots/store.ts'
import type { PlainRows } from './index/plain-rows.ts'
import { fromEnvelope, type TransactionPayload } from './records/codec.ts'
import { compactTransaction } from './records/compact.ts'
import { Entry } from './records/entry.ts'
import { hasEnded, type RecordState } from './records/record.ts'
import type { Place, RecordHost } from './records/unit-of-work.ts'

interface Source extends RowSource {
  readonly store: Pick<Store, 'loadRows'>
  payload(place: Place): TransactionPayload
}

/** Adds plain rows to `plain`; resolves with the other records. */
export async function loadRecords(source: Source, tenant: string, plain: PlainRows): Promise<RecordState[]> {
  const others: RecordState[] = []
  const read = recordDecoder(tenant)
  for await (const page of source.store.loadRows(tenant)) {
    const rows = page.filter(([key, text]) => !plain.take(tenant, key, text))
    if (rows.length === 0) continue
    const states = await statesOf(
      source,
      rows.map(([key, text]) => read(key, text)),
    )
    for (const state of states) others.push(state)
  }
  return others
}

/** Hands the record to its indexes. Throws `CorruptRow` if it lacks members that they need. */
export function enterLoaded(host: Pick<RecordHost, 'moved'>, state: RecordState): void {
  interpretRow(keyOf(state), () => host.moved(new Entry(state, state, undefined), undefined, state))
}

const keyOf = ({ tenant, cluster, id }: Place): string => recordKey(tenant, cluster, id)

async function statesOf(source: Source, page: readonly Envelope[]): Promise<RecordState[]> {
  const payloads = page.flatMap(({ kind, tenant, cluster, id }): ColdKey[] =>
    kind === 'transaction' ? [{ read: 'payload', tenant, cluster, id }] : [],
  )
  if (payloads.length > 0) await source.fetch(payloads)
  return await atHand(source, () =>
    onEach(page, (envelope) =>
      interpretRow(keyOf(envelope), () => {
        const loaded = fromEnvelope(envelope, () => source.payload(envelope))
        return hasEnded(loaded) ? compactTransaction(loaded) : loaded
      }),
    ),
  )
}
