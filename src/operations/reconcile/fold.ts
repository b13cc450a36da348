// Writes what the chain shows into a record. Whoever finds it folded already waits here until that is on disk.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import { CommandRejected } from '../../engine/records/unit-of-work.ts'
import type { Platform } from '../context/platform.ts'
import { tellActivity } from './activity.ts'
import type { Fact } from './differences.ts'

const folding = new WeakMap<Entry, Promise<void>>()

/** Synchronous up to the write; resolves when it is durable. `slot`: what it is as of. A fact that the record refuses is left out. */
export async function fold(platform: Platform, entry: Entry, facts: readonly Fact[], slot: number): Promise<void> {
  const before = entry.head
  try {
    const { durable } = platform.engine.transact((unit) => {
      for (const fact of facts) unit.tell(entry, fact as never)
      if (isHolding(before) && isHolding(entry.head)) tellActivity(unit, before, entry.head, slot)
    })
    folding.set(entry, durable)
    await durable
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error
    platform.log?.warn({ record: entry.head.id, code: error.rejection.code }, `what the chain shows was refused: ${error.rejection.detail}`)
  }
}

/** Resolves when what was folded into a record so far is durable. */
export async function folded(entry: Entry): Promise<void> {
  await folding.get(entry)
}
