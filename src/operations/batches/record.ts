// Finds the records of batches and of their items for a caller, and writes items in slices, so that no unit of work is
// long.
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { batchItemsKey } from '../../engine/index/index-keys.ts'
import { RecordFailed, type UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { BatchItemEvent } from '../../../machines/batch-item.ts'
import type { BatchEvent } from '../../../machines/batch.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Outcome } from '../../contract/call.ts'
import type { BatchReference } from '../../contract/schemas/batch.ts'
import type { WithId } from '../../contract/schemas/members.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'

/** Items changed in one unit of work, so that it blocks the event loop for a few milliseconds only. */
export const SLICE = 200

export interface NamedBatch {
  readonly entry: Entry
  readonly batch: RecordState<'batch'>
}

/** `batch`: the answer shows it in the form of a transaction; absent: its id alone. */
export type BatchShown = Pick<Outcome, 'batch'>

/** A change of a batch, also through the endpoints of transactions. */
export type BatchWrite<Member extends string> = (
  context: Context,
  input: ItemBody<BatchReference>,
  shown?: BatchShown,
) => Promise<Outcome<WithId<Member>>>

/** A batch of the organization and cluster of the request. Throws 400 `BATCH_NOT_FOUND`. */
export function batchNamed(
  { platform: { engine }, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): NamedBatch {
  const entry = engine.directory.byId(offchainId)
  const batch = ofKind(entry?.committed, 'batch')
  const isOwn = batch?.tenant === tenant && batch.cluster === cluster && batch.context.organization === organization
  if (entry !== undefined && batch !== undefined && isOwn) return { entry, batch }
  throw badRequest('BATCH_NOT_FOUND', 'the organization has no batch with this id', '/itemData/offchainId')
}

export interface ItemEntry {
  readonly entry: Entry
  readonly item: RecordState<'batchItem'>
}

/** The items of a batch, in the order of the request. */
export function itemsOf({ engine }: Platform, batchId: string): ItemEntry[] {
  const items = engine.directory.find(batchItemsKey(batchId)).flatMap((entry) => {
    const item = ofKind(entry.head, 'batchItem')
    return item === undefined ? [] : [{ entry, item }]
  })
  return items.sort((a, b) => a.item.context.index - b.item.context.index)
}

export function sendToBatch(unit: UnitOfWork, entry: Entry, event: BatchEvent): void {
  unit.send<'batch'>(entry, event)
}

export function sendToItem(unit: UnitOfWork, entry: Entry, event: BatchItemEvent): void {
  unit.send<'batchItem'>(entry, event)
}

export interface PartialResult<T, Item> {
  readonly result: T
  /** Items that were left out because their actors throw. */
  readonly broken: readonly Item[]
  /** The error of the first item that was left out. */
  readonly failure: RecordFailed | null
}

/**
 * Runs the unit of work `work` with all items, and again without those whose actors throw: they must not block the
 * others.
 */
export function runWithoutBroken<T, Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  work: (sound: readonly Item[]) => T,
): PartialResult<T, Item> {
  const failures = new Map<string, RecordFailed>()
  for (;;) {
    try {
      const result = work(items.filter((item) => !failures.has(idOf(item))))
      const broken = items.filter((item) => failures.has(idOf(item)))
      return { result, broken, failure: [...failures.values()][0] ?? null }
    } catch (error) {
      if (!(error instanceof RecordFailed)) throw error
      const { id } = error.record
      if (failures.has(id) || !items.some((item) => idOf(item) === id)) throw error
      failures.set(id, error)
    }
  }
}
