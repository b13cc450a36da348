// The next items of a batch, made: their transaction, or their record, comes into being in the unit of work that notes
// it on each of them.
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { CommandRejected } from '../../engine/records/unit-of-work.ts'
import { asRefusal, isRetryable, problemOf } from '../transactions/as-refusal.ts'
import type { JsonObject } from '../../contract/call.ts'
import type { Platform } from '../context/platform.ts'
import { acceptedCall } from '../transactions/plans/requester.ts'
import { Refusal } from '../../contract/refusal.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { OPERATIONS } from './operations.ts'
import { makePack, type Made, type PackedItem } from './pack.ts'
import { sendToBatch, sendToItem, type ItemEntry } from './record.ts'

export interface MadeItems {
  readonly transactions: readonly string[]
  /** As of `PackResult`. */
  readonly fit: number | null
  /** Items that nothing was made of, and may be made later. */
  readonly left: readonly ItemEntry[]
}

interface Making extends PackedItem {
  readonly entry: ItemEntry
}

/** Items that cannot be made fail. */
export async function makeItems(
  platform: Platform,
  batch: Entry,
  state: RecordState<'batch'>,
  items: readonly ItemEntry[],
): Promise<MadeItems> {
  const { operation, config } = state.context
  const now = (): string => new Date(platform.clock.now()).toISOString()
  const pack = await makePack<Making>(
    { platform, call: acceptedCall(state) },
    {
      write: OPERATIONS[operation].write,
      config: config ?? undefined,
      approval: state.context.approval,
      isSwitch: operation === 'FREEZE' || operation === 'UNFREEZE',
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
      begin(unit, made, transactionId) {
        for (const { item, members } of made) {
          sendToItem(
            unit,
            item.entry.entry,
            transactionId === null
              ? { type: 'command.make', members, at: now() }
              : { type: 'command.begin', transactionId, members },
          )
        }
        sendToBatch(unit, batch, {
          type: transactionId === null ? 'command.make' : 'command.begin',
          items: made.length,
          at: now(),
        })
      },
    },
  )
  const refused = pack.made.filter((made): made is Extract<Made<Making>, { ok: false }> => !made.ok)
  const left = refused.filter(({ error }) => isPassing(error)).map(({ item }) => item.entry)
  await failItems(
    platform,
    batch,
    refused.filter(({ error }) => !isPassing(error)),
    now(),
  )
  return { transactions: pack.transactions, fit: pack.fit, left }
}

async function failItems(
  platform: Platform,
  batch: Entry,
  refused: readonly { readonly item: Making; readonly error: unknown }[],
  at: string,
): Promise<void> {
  for (const { error } of refused) {
    if (!(asRefusal(error) instanceof Refusal))
      platform.log?.warn({ err: error, batchId: batch.head.id }, 'an item of a batch could not be made')
  }
  const { durable } = platform.engine.transact((unit) => {
    let items = 0
    for (const { item, error } of refused) {
      // It was cancelled meanwhile.
      if (ofKind(item.entry.entry.head, 'batchItem')?.value !== 'waiting') continue
      sendToItem(unit, item.entry.entry, { type: 'command.fail', problem: problemOf(error), at })
      items += 1
    }
    if (items > 0) sendToBatch(unit, batch, { type: 'command.fail', items, at })
  })
  await durable
}

/** The batch is being stopped, the item was cancelled meanwhile, or the attempt may succeed later: the items wait. */
function isPassing(error: unknown): boolean {
  if (
    error instanceof CommandRejected &&
    (error.rejection.code === 'NOT_ITS_TURN' || error.rejection.code === 'NOT_WAITING')
  )
    return true
  return isRetryable(error)
}
