// Writes facts from the chain into a record. A caller that finds the record already updated can wait here until the
// update is durable.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import { CommandRejected } from '../../engine/records/unit-of-work.ts'
import type { Platform } from '../context/platform.ts'
import { sendActivity } from './activity.ts'
import type { Fact } from './differences.ts'

const folding = new WeakMap<Entry, Promise<void>>()

/**
 * Synchronous up to the write; resolves when the write is durable. `slot`: slot of the reading. Facts that the record
 * rejects are logged and dropped.
 */
export async function fold(platform: Platform, entry: Entry, facts: readonly Fact[], slot: number): Promise<void> {
  const before = entry.head
  try {
    const { durable } = platform.engine.transact((unit) => {
      for (const fact of facts) unit.send(entry, fact as never, { kind: 'observed', transactionId: null, slot })
      if (isHolding(before) && isHolding(entry.head)) sendActivity(unit, before, entry.head, slot)
    })
    folding.set(entry, durable)
    await durable
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    platform.log?.warn(
      { record: entry.head.id, code: error.rejection.code },
      `an observation of the chain was rejected: ${error.rejection.detail}`,
    )
  }
}

/** Resolves when everything written into the record so far is durable. */
export async function folded(entry: Entry): Promise<void> {
  await folding.get(entry)
}
