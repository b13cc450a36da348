// What ties a tenant to the other tenants of its cell: what they could not end, or not do any more, in different cells.
import type { TransactionState } from '../../../machines/transaction-record.ts'
import { fromEnvelope, type TransactionPayload } from '../../engine/records/codec.ts'
import { payloadOfRow } from '../../engine/records/payload-row.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { payloadKey } from '../../../snapshots/keys.ts'
import { decode } from '../../../snapshots/rows.ts'
import type { Database } from '../../../snapshots/postgres/database.ts'
import { manyRowsOf } from '../../../snapshots/postgres/fetches.ts'
import { recordsMatching, recordsUnder } from '../../../snapshots/postgres/looked-through.ts'
import type { Envelope } from '../../../snapshots/store.ts'

const OPEN: readonly TransactionState[] = [
  'prepared',
  'partiallySigned',
  'signed',
  'submitted',
  'processed',
  'confirmed',
]
/** Anchored: what tenants have written stands further behind. */
const OPEN_TRANSACTIONS = `^\\["transaction",\\d+,\\d+,"(?:${OPEN.join('|')})"`
const OPEN_COUNTERSIGNATURES = '^\\["countersignature",\\d+,\\d+,"(?:given|landed)"'

/** A sentence for each. */
export async function tiesOf(database: Database, tenant: string, cell: string): Promise<readonly string[]> {
  const found = await Promise.all([
    transactionTies(database, tenant),
    countersignatureTies(database, tenant),
    loanTies(database, tenant, cell),
  ])
  return found.flat()
}

/** A transaction of this tenant alone continues in its new cell, as with another owner of the old one. */
async function transactionTies(database: Database, tenant: string): Promise<string[]> {
  const open = await recordsMatching(database, tenant, OPEN_TRANSACTIONS)
  const keys = open.map(({ cluster, id }) => payloadKey(tenant, cluster, id))
  const texts = await manyRowsOf(database, keys)
  return open.flatMap((envelope, at) => {
    const payload = (): TransactionPayload => payloadOfRow(decode(keys[at]!, texts[at] ?? 'null'))
    const { id, context } = fromEnvelope(envelope, payload) as RecordState<'transaction'>
    const signers = [...(context.countersigners ?? []), ...(context.fixed.waitsFor ?? [])]
    const others = new Set(signers.map((signer) => signer.tenant).filter((other) => other !== tenant))
    return [...others].map((other) => `transaction ${id} is signed with keys of ${other}, and has not ended`)
  })
}

async function countersignatureTies(database: Database, tenant: string): Promise<string[]> {
  const open = await recordsMatching(database, tenant, OPEN_COUNTERSIGNATURES)
  return open.flatMap((envelope) => {
    const state = ofKind(withoutPayload(envelope), 'countersignature')
    if (state === undefined) return []
    const { transactionId, requester } = state.context
    return [`transaction ${transactionId} of ${requester.tenant} is signed with keys of ${tenant}, and has not ended`]
  })
}

async function loanTies(database: Database, tenant: string, cell: string): Promise<string[]> {
  const records = await recordsUnder(database, cell, 'escrow\u0000')
  return records.flatMap((envelope) => {
    const loan = envelope.kind === 'loan' ? ofKind(withoutPayload(envelope), 'loan') : undefined
    if (loan === undefined || loan.value === 'closed') return []
    const { lender } = loan.context
    if (lender.tenant === loan.tenant || (lender.tenant !== tenant && loan.tenant !== tenant)) return []
    return [`loan ${loan.id} of ${loan.context.organization} by ${lender.organization} is open`]
  })
}

function withoutPayload(envelope: Envelope): RecordState {
  return fromEnvelope(envelope, () => {
    throw new TypeError(`the payload of ${envelope.id} is not read`)
  })
}
