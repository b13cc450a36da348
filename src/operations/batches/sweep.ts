// Cancels the waiting items of a batch, or lets failed items wait again, slice by slice. The batch records which of
// both is under way, so that it continues after a restart.
import type { BatchCounts, Sweep } from '../../../machines/batch.ts'
import { ofKind } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { Platform } from '../context/platform.ts'
import type { RecordFailed } from '../../engine/records/unit-of-work.ts'
import { itemsOf, SLICE, sendToBatch, sendToItem, runWithoutBroken, type ItemEntry } from './record.ts'

const running = new WeakMap<Entry, Promise<void>>()

/** Resolves when the batch has no sweep. One sweep of a batch runs at a time: a second caller waits for the first. */
export async function carryOutSweep(platform: Platform, entry: Entry): Promise<void> {
  const before = running.get(entry)
  if (before !== undefined) {
    await before
    return
  }
  const own = sweepAll(platform, entry).finally(() => running.delete(entry))
  running.set(entry, own)
  await own
}

async function sweepAll(platform: Platform, entry: Entry): Promise<void> {
  const { engine, clock } = platform
  const now = (): string => new Date(clock.now()).toISOString()
  for (;;) {
    const sweep = ofKind(entry.head, 'batch')?.context.sweep ?? null
    if (sweep === null) return
    const remaining = itemsOf(platform, entry.head.id).filter((each) => previousStateOf(sweep, each) !== null)
    let failed: RecordFailed | null = null
    for (let from = 0; from < remaining.length; from += SLICE) {
      const { result, failure } = runWithoutBroken(
        remaining.slice(from, from + SLICE),
        (each) => each.entry.head.id,
        (sound) => sweepTogether(platform, entry, sweep, sound),
      )
      failed ??= failure
      await result.durable
    }
    // An item that is not cancelled could be made later. One that does not wait again stays failed.
    if (failed !== null && sweep.kind === 'CANCEL') throw failed
    const { durable } = engine.transact((unit) => {
      if (ofKind(entry.head, 'batch')?.context.sweep !== null)
        sendToBatch(unit, entry, { type: 'command.swept', at: now() })
    })
    await durable
  }
}

function sweepTogether(
  { engine, clock }: Platform,
  entry: Entry,
  sweep: Sweep,
  items: readonly ItemEntry[],
): ReturnType<Platform['engine']['transact']> {
  const at = new Date(clock.now()).toISOString()
  return engine.transact((unit) => {
    const moved = new Map<keyof BatchCounts, number>()
    for (const each of items) {
      // The driver may have begun the item in the meantime.
      const state = previousStateOf(sweep, { ...each, item: ofKind(each.entry.head, 'batchItem')! })
      if (state === null) continue
      sendToItem(
        unit,
        each.entry,
        sweep.kind === 'RETRY' ? { type: 'command.retry' } : { type: 'command.cancel', because: sweep.because, at },
      )
      moved.set(state, (moved.get(state) ?? 0) + 1)
    }
    const to = sweep.kind === 'RETRY' ? 'waiting' : 'cancelled'
    for (const [state, count] of moved)
      sendToBatch(unit, entry, { type: 'command.sweep', from: state, to, items: count, at })
  })
}

/** The state that the sweep moves the item out of; null: the sweep does not change the item. */
function previousStateOf(sweep: Sweep, { item: { value, context } }: ItemEntry): keyof BatchCounts | null {
  if (sweep.kind === 'CANCEL') return value === 'waiting' ? 'waiting' : null
  if (value === 'failed') return 'failed'
  return value === 'cancelled' && context.cancelledBecause === 'FAILURE' ? 'cancelled' : null
}

/** Cancels the stored items of a batch that was never acknowledged. */
export async function abandonBatch(platform: Platform, entry: Entry): Promise<void> {
  const at = new Date(platform.clock.now()).toISOString()
  const waiting = itemsOf(platform, entry.head.id).filter(({ item }) => item.value === 'waiting')
  for (let from = 0; from < waiting.length; from += SLICE) {
    const { durable } = platform.engine.transact((unit) => {
      for (const each of waiting.slice(from, from + SLICE))
        sendToItem(unit, each.entry, { type: 'command.cancel', because: 'REQUESTED', at })
    })
    await durable
  }
  const { durable } = platform.engine.transact((unit) => {
    if (entry.head.value === 'preparing') sendToBatch(unit, entry, { type: 'command.abandon', at })
  })
  await durable
}
