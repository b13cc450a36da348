// What a list of many transactions says of each. Cold transactions are read for it without the members that it leaves
// out, which are most of them.
import type { Envelope } from '../../../snapshots/store.ts'
import { fromEnvelope, type TransactionPayload } from './codec.ts'
import { glanceOfFixed, glanceOfPayloadRow, type PayloadGlance } from './payload-row.ts'
import type { RecordState } from './record.ts'

type Context = RecordState<'transaction'>['context']

export interface TransactionGlance extends PayloadGlance, Pick<Context, 'signature' | 'blockTime' | 'slot' | 'error'> {
  readonly id: string
}

export function glanceOf({ id, context }: RecordState<'transaction'>): TransactionGlance {
  return { ...glanceOfFixed(context.fixed), ...ended(id, context) }
}

/** @param payload the row of the payload */
export function glanceOfRows(envelope: Envelope, payload: unknown): TransactionGlance {
  const { context } = fromEnvelope(envelope, () => UNREAD) as RecordState<'transaction'>
  return { ...glanceOfPayloadRow(payload), ...ended(envelope.id, context) }
}

const UNREAD = { fixed: null, signedBytes: null } as unknown as TransactionPayload

function ended(id: string, { signature, blockTime, slot, error }: Context) {
  return { id, signature, blockTime, slot, error }
}
