// What a list of many transactions says of each. Cold transactions are read for it without the members that it leaves
// out, which are most of them.
import { KINDS } from '../../../machines/kinds.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { fromEnvelope, type TransactionPayload } from './codec.ts'
import { glanceOfFixed, glanceOfPayloadRow, type PayloadGlance } from './payload-row.ts'
import type { RecordState } from './record.ts'
import { endOfTransactionRow, type TransactionRow } from './transaction-row.ts'

type Context = RecordState<'transaction'>['context']

export interface TransactionGlance extends PayloadGlance, End {
  readonly id: string
}

export function glanceOf({ id, context }: RecordState<'transaction'>): TransactionGlance {
  return completed(glanceOfFixed(context.fixed), id, context)
}

/** @param payload the row of the payload */
export function glanceOfRows(envelope: Envelope, payload: unknown): TransactionGlance {
  return completed(glanceOfPayloadRow(payload), envelope.id, endOf(envelope))
}

type End = Pick<Context, 'signature' | 'blockTime' | 'slot' | 'error'>

/** From a row of this release without the members that are not wanted: the whole record costs several times as much. */
function endOf(envelope: Envelope): End {
  if (envelope.version !== KINDS.transaction.version)
    return (fromEnvelope(envelope, () => UNREAD) as RecordState<'transaction'>).context
  if (Array.isArray(envelope.context)) return endOfTransactionRow(envelope.context as unknown as TransactionRow)
  const { signature, blockTime, slot, error } = envelope.context as Partial<End>
  // What a row leaves out of these is null.
  return { signature: signature ?? null, blockTime: blockTime ?? null, slot: slot ?? null, error: error ?? null }
}

const UNREAD = { fixed: null, signedBytes: null } as unknown as TransactionPayload

/** The glance is new, and is completed in place: spreading both into another object costs ten times as much. */
function completed(glance: PayloadGlance, id: string, { signature, blockTime, slot, error }: End): TransactionGlance {
  return Object.assign(glance, { id, signature, blockTime, slot, error })
}
