// The rows that a transfer writes when it is signed, derived from its number: the transaction with its payload, the
// idempotency record, the claim of the message, both positions, and an event.
import { createHash } from 'node:crypto'
import type { Envelope, StoreOp } from '../../snapshots/store.ts'
import { positionAt, POSITIONS } from '../machines/script.ts'

export const TENANT = 'BENCH'
const CLUSTER = 'CHAIN_DEVNET'

/** Number of rows after this many units, by key letter. Positions are overwritten; the others are written once. */
export function rowsOf(units: number): Readonly<Record<string, number>> {
  const positions = units === 0 ? 0 : Math.min(POSITIONS, units + 1)
  return { r: units + positions, p: units, i: units, h: units, e: units }
}

export function unitOf(n: number): StoreOp[] {
  const hash = createHash('sha256').update(`transfer ${n}`).digest('hex')
  const id = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
  const at = { tenant: TENANT, cluster: CLUSTER }
  const record = (kind: string, recordId: string, value: string, context: unknown): StoreOp => {
    const envelope: Envelope = { ...at, kind, version: 1, revision: n + 1, id: recordId, value, context }
    return { type: 'record', envelope }
  }
  const position = (place: number): StoreOp => {
    const context = { ...positionAt(place), tokens: { balance: '1000000000', reserved: String(1000 + (n % 9000)) } }
    return record('position', `position-${place}`, 'initialized', context)
  }
  const source = n % POSITIONS
  // 690 bytes of transaction and 470 of message, like the base64 of a transfer with two signatures.
  const bytes = hash.repeat(8).slice(0, 470)
  return [
    record('transaction', id, 'signed', {
      fixed: null,
      signature: hash + hash.slice(0, 24),
      ourSignature: true,
      complete: true,
      history: [{ status: 'SIGNED', at: 1_795_000_000 + n }],
    }),
    {
      type: 'payload',
      ...at,
      id,
      payload: {
        fixed: { message: bytes, messageHash: hash, signers: [hash, hash], accounts: [hash, hash, hash] },
        signedBytes: bytes + hash + hash,
      },
    },
    { type: 'idempotency', ...at, scope: hash, row: { transactionId: id, status: 201, body: hash } },
    { type: 'message', cluster: CLUSTER, hash, transactionId: id, tenant: TENANT },
    position(source),
    position((source + 1) % POSITIONS),
    {
      type: 'event',
      tenant: TENANT,
      sequence: n + 1,
      row: { type: 'transaction.signed', resource: id, at: 1_795_000_000 + n },
    },
  ]
}
