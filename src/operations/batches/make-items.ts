// Makes the next items of a batch. One unit of work creates their transaction or record and adds its id to each item,
// so that a crash cannot separate the two.
import type { BatchItemEvent } from '../../../machines/batch-item.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { asFailure, problemOf, type OperationFailure } from '../context/as-refusal.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { checkCreator } from '../lookup/subjects.ts'
import { acceptedCall } from '../transactions/plans/requester.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { OPERATIONS } from './operations.ts'
import { isPassing, makePack, type ItemResult, type MadeItem, type PackedItem } from './pack.ts'
import { sendToBatch, sendToItem, runWithoutBroken, type ItemEntry } from './record.ts'

export interface MadeItems {
  readonly transactions: readonly string[]
  /** See `PackResult`. */
  readonly fit: number | null
  /** Items without a transaction or record so far; a later call may make them. */
  readonly left: readonly ItemEntry[]
  /** Items after those that were made or are left, if the batch is made in order: it is not their turn. */
  readonly later: readonly ItemEntry[]
}

interface BatchedItem {
  readonly entry: ItemEntry
}

interface Making extends PackedItem, BatchedItem {}

/**
 * Makes transactions or records of `items`. Marks items as failed whose operation is rejected. A batch that stops on a
 * failure is made in order: by one call at most one transaction is made, or one item fails.
 */
export async function makeItems(
  platform: Platform,
  batch: Entry,
  state: RecordState<'batch'>,
  items: readonly ItemEntry[],
): Promise<MadeItems> {
  const { operation, config, stopOnFailure: inOrder } = state.context
  const now = (): string => new Date(platform.clock.now()).toISOString()
  const revoked = revocationOf(platform, state)
  if (revoked !== null) {
    const end = inOrder ? 1 : items.length
    const refused = items.slice(0, end).map((entry) => ({ item: { entry }, failure: revoked }))
    const broken = await failItems(platform, batch, refused, now())
    return { transactions: [], fit: null, left: broken.map(({ entry }) => entry), later: items.slice(end) }
  }
  const pack = await makePack<Making>(
    { platform, call: acceptedCall(state) },
    {
      write: OPERATIONS[operation].write,
      config: config ?? undefined,
      approval: state.context.approval,
      isSwitch: operation === 'FREEZE' || operation === 'UNFREEZE',
      inOrder,
      items: items.map((entry) => {
        const { data, externalReference, intent, alone } = entry.item.context
        return {
          entry,
          data: data as JsonObject,
          externalReference,
          ...(intent === undefined ? {} : { intent }),
          ...(alone === undefined ? {} : { alone }),
        }
      }),
      begin: (unit, made, transactionId) => areBegun(unit, batch, made, { transactionId, at: now() }),
    },
  )
  const refused = pack.made.filter((made): made is Extract<ItemResult<Making>, { ok: false }> => !made.ok)
  const broken = await failItems(
    platform,
    batch,
    refused.filter(({ failure }) => !isPassing(failure)),
    now(),
  )
  const waiting = refused.filter(({ failure }) => isPassing(failure)).map(({ item }) => item)
  const left = [...pack.left, ...waiting, ...broken]
  const { transactions, fit, later } = pack
  return { transactions, fit, left: left.map(({ entry }) => entry), later: later.map(({ entry }) => entry) }
}

/** null: the key or subject that requested the batch, or its latest retry, may still act. */
function revocationOf(platform: Platform, { context }: RecordState<'batch'>): OperationFailure | null {
  try {
    checkCreator(platform, context.requester, 'batch')
    return null
  } catch (error) {
    return asFailure(error)
  }
}

/** Returns false if the batch is being stopped or an item has been cancelled meanwhile. */
function areBegun(
  unit: UnitOfWork,
  batch: Entry,
  made: readonly MadeItem<Making>[],
  { transactionId, at }: { readonly transactionId: string | null; readonly at: string },
): boolean {
  for (const { item, members } of made) {
    const event: BatchItemEvent =
      transactionId === null ? { type: 'command.make', members, at } : { type: 'command.begin', transactionId, members }
    if (unit.trySend<'batchItem'>(item.entry.entry, event) !== null) return false
  }
  const type = transactionId === null ? 'command.make' : 'command.begin'
  return unit.trySend<'batch'>(batch, { type, items: made.length, at }) === null
}

interface RefusedItem<Item extends BatchedItem = BatchedItem> {
  readonly item: Item
  readonly failure: OperationFailure
}

/** Marks items as failed. Resolves to those whose actors throw: they keep their state and are tried again later. */
async function failItems<Item extends BatchedItem>(
  platform: Platform,
  batch: Entry,
  refused: readonly RefusedItem<Item>[],
  at: string,
): Promise<Item[]> {
  for (const {
    failure: { refusal, error },
  } of refused) {
    if (refusal === null) platform.log?.warn({ err: error, batchId: batch.head.id }, 'batch item failed')
  }
  const { result, broken } = runWithoutBroken(
    refused,
    ({ item }) => item.entry.entry.head.id,
    (sound) => failTogether(platform, batch, sound, at),
  )
  await result.durable
  return broken.map(({ item }) => item)
}

function failTogether(
  { engine }: Platform,
  batch: Entry,
  refused: readonly RefusedItem[],
  at: string,
): ReturnType<Platform['engine']['transact']> {
  return engine.transact((unit) => {
    let items = 0
    for (const { item, failure } of refused) {
      // Cancelled meanwhile.
      if (ofKind(item.entry.entry.head, 'batchItem')?.value !== 'waiting') continue
      sendToItem(unit, item.entry.entry, { type: 'command.fail', problem: problemOf(failure), at })
      items += 1
    }
    if (items > 0) sendToBatch(unit, batch, { type: 'command.fail', items, at })
  })
}
