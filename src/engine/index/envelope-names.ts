// The names of a record as it is stored.
import { fromEnvelope } from '../records/codec.ts'
import { payloadOfRow } from '../records/payload-row.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { namesOf } from './names.ts'

/** @param payload the row of a transaction's payload */
export function namesOfEnvelope(envelope: Envelope, payload: () => unknown): readonly string[] {
  return namesOf(fromEnvelope(envelope, () => payloadOfRow(payload())))
}

/** The payload of a transaction is not read: what asks other tenants has its names since there are such names. */
export function namesButOfTransactions(envelope: Envelope): readonly string[] {
  if (envelope.kind === 'transaction') return []
  return namesOfEnvelope(envelope, () => {
    throw new TypeError(`the payload of ${envelope.id} is not read`)
  })
}
