// The delivery queue of one webhook: for any failures and delays, every event is delivered, in order per resource.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventRecord } from '../../../src/contract/schemas/event.ts'
import { DeliveryQueue, type DeferredResource, type QueuedDelivery } from '../../../src/operations/webhooks/queue.ts'

function event(sequence: number, resource: string): EventRecord {
  return { sequence, resource: { kind: 'account', onchainId: null, offchainId: resource } } as EventRecord
}

/** The first event of the resource from the sequence on, as a log returns it. */
function findPosition(log: readonly EventRecord[], { resource, sequence }: DeferredResource): number {
  return (
    log.find((each) => each.sequence >= sequence && each.resource.offchainId === resource)?.sequence ?? log.length + 1
  )
}

describe('a resource whose event failed', () => {
  it('keeps that event while an earlier event of another resource is pending', () => {
    const log = [event(1, 'slow'), event(2, 'failed'), event(3, 'failed')]
    const queue = new DeliveryQueue(0, [])
    queue.read(log, () => true)
    queue.next()
    queue.failed(queue.next()!, 0)
    const aside = queue.due(() => true)!
    expect(queue.sought(aside, findPosition(log, aside))).toBe(false)
    queue.deferredDelivered(aside, 0)
    expect(queue.sought(aside, findPosition(log, aside))).toBe(true)
    expect(queue.next()?.event.sequence).toBe(3)
  })
})

describe('a delivery queue', () => {
  it('delivers every event, in order per resource, with any failures, delays and restarts', () => {
    const resource = fc.constantFrom('a', 'b', 'c')
    const choices = fc.array(fc.nat(99), { minLength: 50, maxLength: 300 })
    fc.assert(
      fc.property(fc.array(resource, { minLength: 1, maxLength: 30 }), choices, (resources, random) => {
        const log = resources.map((name, at) => event(at + 1, name))
        const delivered: EventRecord[] = []
        run(log, random, delivered)
        const first = new Set(delivered.map(({ sequence }) => sequence))
        expect([...first].sort((a, b) => a - b)).toEqual(log.map(({ sequence }) => sequence))
        for (const name of new Set(resources)) {
          const order = [...first].filter((sequence) => log[sequence - 1]!.resource.offchainId === name)
          expect(order).toEqual(order.toSorted((a, b) => a - b))
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** First a random schedule, then one without failures, so that it ends. */
function run(log: readonly EventRecord[], random: readonly number[], delivered: EventRecord[]): void {
  let queue = new DeliveryQueue(0, [])
  let flying: (QueuedDelivery | DeferredResource)[] = []
  const step = (choice: number, mayFail: boolean): void => {
    if (queue.readTo < log.length && choice % 3 === 0) queue.read(log.slice(queue.readTo, queue.readTo + 4), () => true)
    if (choice % 3 === 1) launch()
    if (choice % 3 === 2 && flying.length > 0) {
      const [delivery] = flying.splice(choice % flying.length, 1)
      end(delivery!, mayFail && choice % 2 === 0)
    }
    // A crash: work that was not stored is repeated.
    if (mayFail && choice === 99) {
      queue = new DeliveryQueue(queue.cursor, queue.waiting())
      flying = []
    }
  }
  const launch = (): void => {
    const aside = queue.due(() => true)
    if (aside === undefined) {
      const next = queue.next()
      if (next !== undefined) flying.push(next)
      return
    }
    for (;;) {
      const position = findPosition(log, aside)
      if (queue.sought(aside, position)) return
      if (position <= log.length) break
    }
    flying.push(aside)
  }
  const end = (delivery: QueuedDelivery | DeferredResource, fails: boolean): void => {
    if ('event' in delivery) {
      if (fails) queue.failed(delivery, 0)
      else {
        delivered.push(delivery.event)
        queue.delivered(delivery)
      }
    } else if (fails) queue.deferredFailed(delivery, 0)
    else {
      delivered.push(log[delivery.sequence - 1]!)
      queue.deferredDelivered(delivery, 0)
    }
  }
  for (const choice of random) step(choice, true)
  for (let round = 0; round < 20 * log.length + 200; round += 1) step(round % 3, false)
}
