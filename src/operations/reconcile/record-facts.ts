// Writes facts from the chain into a record. A caller that finds the record already updated can wait here until the
// update is durable.
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import type { Platform } from '../context/platform.ts'
import type { ObservedEvent } from './differences.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { eventsOfChange } from '../events/events-of-change.ts'

const writing = new WeakMap<Entry, Promise<void>>()

/**
 * Synchronous up to the write; resolves when the write is durable. `slot`: slot of the reading. Facts that the record
 * rejects are logged and dropped.
 */
export async function recordFacts(
  platform: Platform,
  entry: Entry,
  facts: readonly ObservedEvent[],
  slot: number,
): Promise<void> {
  const before = entry.head
  const { result, durable } = platform.engine.transact((unit) => {
    for (const fact of facts) {
      const rejection = unit.trySend(entry, fact as never, { kind: 'observed', transactionId: null, slot })
      if (rejection === null) continue
      unit.discard()
      return rejection
    }
    if (isHolding(before) && isHolding(entry.head)) sendActivity(unit, before, entry.head, slot)
    return null
  })
  if (result === null) {
    writing.set(entry, durable)
    await durable
    return
  }
  const { code, detail } = result.rejection
  platform.log?.warn({ record: entry.head.id, code }, `an observation of the chain was rejected: ${detail}`)
}

/** Resolves when everything written into the record so far is durable. */
export async function untilWritten(entry: Entry): Promise<void> {
  await writing.get(entry)
}

/**
 * Adds `account.network_activity` to the unit of work that writes a change on chain that this service did not make: the
 * changed members, as in the event of the change itself, and the slot of the reading. No event for records without
 * `subscribeToNetworkEvents`.
 */
function sendActivity(unit: UnitOfWork, before: HoldingState, after: HoldingState, slot: number): void {
  const { subscribeToNetworkEvents, organization, address, shared } = after.context
  if (!subscribeToNetworkEvents || before === after) return
  const { tenant, cluster, id } = after
  const [change] = eventsOfChange(before, after)
  unit.event({
    tenant,
    cluster,
    organization,
    type: 'account.network_activity',
    onchainId: address,
    offchainId: id,
    data: { slot, ...change?.data },
    ...(shared ? { seenBy: 'shared' } : {}),
  })
}
