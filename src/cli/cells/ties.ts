// Finds what ties a tenant to other tenants of its cell: work that could not be completed if they were in different
// cells.
import type { TransactionState } from '../../../machines/transactions/transaction-record.ts'
import { fromEnvelope, type TransactionPayload } from '../../engine/records/codec.ts'
import { payloadOfRow } from '../../engine/records/payload-row.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { payloadKey } from '../../../snapshots/keys.ts'
import { decode } from '../../../snapshots/rows.ts'
import type { Envelope } from '../../../snapshots/store.ts'
import { CommandFailed } from '../command-failed.ts'

const OPEN: readonly TransactionState[] = [
  'prepared',
  'partiallySigned',
  'signed',
  'submitted',
  'processed',
  'confirmed',
]
/** Anchored at the start of the row, because texts of tenants, which could match too, come later. */
const OPEN_TRANSACTIONS = `^\\["transaction",\\d+,\\d+,"(?:${OPEN.join('|')})"`
const OPEN_COUNTERSIGNATURES = '^\\["countersignature",\\d+,\\d+,"(?:given|landed)"'

const MAX_SHOWN = 10

/** The rows of the tenant's current cell. */
export interface TieRows {
  /** The records of a tenant whose texts match a regular expression. */
  recordsMatching(tenant: string, pattern: string): Promise<readonly Envelope[]>
  /** The rows of these keys, in their order. */
  rowsOf(keys: readonly string[]): Promise<readonly (string | undefined)[]>
  /** Loans of all tenants of the cell; may include other records. */
  loans(): Promise<readonly Envelope[]>
}

/** Rejects with CommandFailed. */
export async function refuseTies(rows: TieRows, tenant: string, from: string): Promise<void> {
  const ties = await tiesOf(rows, tenant)
  if (ties.length === 0) return
  const more = ties.length > MAX_SHOWN ? [`and ${ties.length - MAX_SHOWN} more`] : []
  const lines = [...ties.slice(0, MAX_SHOWN), ...more].map((tie) => `\n  ${tie}`).join('')
  throw new CommandFailed(`${tenant} cannot leave the cell ${from} while tenants of it depend on each other:${lines}`)
}

/** Returns one sentence per tie. */
export async function tiesOf(rows: TieRows, tenant: string): Promise<readonly string[]> {
  const ties = await Promise.all([
    transactionTies(rows, tenant),
    countersignatureTies(rows, tenant),
    loanTies(rows, tenant),
  ])
  return ties.flat()
}

/** A transaction that concerns only this tenant is no tie: it continues in the new cell. */
async function transactionTies(rows: TieRows, tenant: string): Promise<string[]> {
  const open = await rows.recordsMatching(tenant, OPEN_TRANSACTIONS)
  const keys = open.map(({ cluster, id }) => payloadKey(tenant, cluster, id))
  const texts = await rows.rowsOf(keys)
  return open.flatMap((envelope, at) => {
    const payload = (): TransactionPayload => payloadOfRow(decode(keys[at]!, texts[at] ?? 'null'))
    const { id, context } = fromEnvelope(envelope, payload) as RecordState<'transaction'>
    const signers = [...(context.countersigners ?? []), ...(context.fixed.waitsFor ?? [])]
    const others = new Set(signers.map((signer) => signer.tenant).filter((other) => other !== tenant))
    return [...others].map((other) => `transaction ${id} is signed with keys of ${other}, and has not ended`)
  })
}

async function countersignatureTies(rows: TieRows, tenant: string): Promise<string[]> {
  const open = await rows.recordsMatching(tenant, OPEN_COUNTERSIGNATURES)
  return open.flatMap((envelope) => {
    const state = ofKind(withoutPayload(envelope), 'countersignature')
    if (state === undefined) return []
    const { transactionId, requester } = state.context
    return [`transaction ${transactionId} of ${requester.tenant} is signed with keys of ${tenant}, and has not ended`]
  })
}

async function loanTies(rows: TieRows, tenant: string): Promise<string[]> {
  return (await rows.loans()).flatMap((envelope) => {
    const loan = envelope.kind === 'loan' ? ofKind(withoutPayload(envelope), 'loan') : undefined
    if (loan === undefined || loan.value === 'closed') return []
    const { lender, owner } = loan.context
    const tenants = new Set([loan.tenant, lender.tenant, owner?.tenant ?? loan.tenant])
    if (tenants.size === 1 || !tenants.has(tenant)) return []
    return [`loan ${loan.id} of ${loan.context.organization} by ${lender.organization} is open`]
  })
}

function withoutPayload(envelope: Envelope): RecordState {
  return fromEnvelope(envelope, () => {
    throw new TypeError(`the payload of ${envelope.id} is not read`)
  })
}
