// The few members of a transaction that long lists show. For cold transactions, only these members are decoded.
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
  return completeGlance(glanceOfFixed(context.fixed), id, context)
}

/** @param payload the row of the payload */
export function glanceOfRows(envelope: Envelope, payload: unknown): TransactionGlance {
  return completeGlance(glanceOfPayloadRow(payload), envelope.id, endOf(envelope))
}

type End = Pick<Context, 'signature' | 'blockTime' | 'slot' | 'error'>

/** Decodes only these members of a row of this release: decoding the whole record takes several times longer. */
function endOf(envelope: Envelope): End {
  if (envelope.version !== KINDS.transaction.version)
    return (fromEnvelope(envelope, () => UNREAD) as RecordState<'transaction'>).context
  if (Array.isArray(envelope.context)) return endOfTransactionRow(envelope.context as unknown as TransactionRow)
  const { signature, blockTime, slot, error } = envelope.context as Partial<End>
  // Members that are absent in the row are null.
  return { signature: signature ?? null, blockTime: blockTime ?? null, slot: slot ?? null, error: error ?? null }
}

const UNREAD = { fixed: null, signedBytes: null } as unknown as TransactionPayload

/** Completes the new glance in place, because spreading both into a third object takes ten times longer. */
function completeGlance(
  glance: PayloadGlance,
  id: string,
  { signature, blockTime, slot, error }: End,
): TransactionGlance {
  return Object.assign(glance, { id, signature, blockTime, slot, error })
}
