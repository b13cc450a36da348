// The names of a stored record.
import { fromEnvelope } from '../records/codec.ts'
import { payloadOfRow } from '../records/payload-row.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { namesOf } from './names.ts'

/** @param payload returns the row of a transaction's payload */
export function namesOfEnvelope(envelope: Envelope, payload: () => unknown): readonly string[] {
  return namesOf(fromEnvelope(envelope, () => payloadOfRow(payload())))
}

/** Omits transactions, so that no payload is read: a transaction that asks other tenants always had its names. */
export function namesButOfTransactions(envelope: Envelope): readonly string[] {
  if (envelope.kind === 'transaction') return []
  return namesOfEnvelope(envelope, () => {
    throw new TypeError(`the payload of ${envelope.id} is not read`)
  })
}
