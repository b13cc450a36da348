// Stores with the records of asset management, in every state: those of the fixtures of the machines.
import { readFileSync } from 'node:fs'
import type { Kind, StoredSnapshot } from '../../machines/kinds.ts'
import type { StoreOp } from '../../snapshots/store.ts'
import { recordOp } from '../../src/engine/records/codec.ts'
import type { RecordState } from '../../src/engine/records/record.ts'
import { CLUSTER, TENANT } from './engine-fixture.ts'

export const ASSET_KINDS = [
  'batch',
  'batchItem',
  'schedule',
  'occurrence',
  'distribution',
  'paymentRequest',
  'pendingChange',
  'counterparty',
  'approvalPolicy',
] as const satisfies readonly Kind[]

function readStored(kind: Kind): readonly StoredSnapshot[] {
  return JSON.parse(readFileSync(new URL(`../machines/fixtures/v1/${kind}.json`, import.meta.url), 'utf8')) as never
}

/** Each with its own id. An item belongs to an ended batch, or if it is open to one that is under way. */
export function recordsOfEveryState(): readonly RecordState[] {
  const batches = readStored('batch')
  const idOf = (matches: (snapshot: StoredSnapshot) => boolean): string => `batch-${batches.findIndex(matches)}`
  const failedId = idOf(({ value }) => value === 'failed')
  const openId = idOf(({ value }) => value === 'underWay')
  return ASSET_KINDS.flatMap((kind) =>
    readStored(kind).map(({ value, context }, index) => {
      const isOpen = value === 'waiting' || value === 'underWay'
      const own = {
        ...(context as object),
        ...(kind === 'batchItem' ? { batchId: isOpen ? openId : failedId } : {}),
        ...(kind === 'paymentRequest' ? { payId: `page-${index}` } : {}),
      }
      const place = { tenant: TENANT, cluster: CLUSTER, id: `${kind}-${index}` }
      return { kind, ...place, revision: 1, value, context: own } as unknown as RecordState
    }),
  )
}

export function rowsOf(records: readonly RecordState[]): readonly StoreOp[] {
  return records.map(recordOp)
}
