// For any events of a batch and its items, in any order: the counts equal the items, an item has one transaction that
// can have an effect, and a done item stays done.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchItemMachine } from '../../machines/batch-item.ts'
import { batchMachine, type BatchContext, type BatchCounts } from '../../machines/batch.ts'
import type { BatchItemContext } from '../../machines/batch-item.ts'
import { batch, batchItem, BATCH_SUBJECTS } from './batch-subjects.ts'
import { AT } from './records.ts'
import { TestedActor } from './tested-actor.ts'

const stateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: BatchContext }
const itemStateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: BatchItemContext }
const startBatch = (changes: Partial<BatchContext> = {}): TestedActor => {
  const actor = TestedActor.start(batchMachine, { batch: { ...batch, ...changes } })
  actor.send({ type: 'command.start', approval: null, at: AT })
  return actor
}

describe('an item', () => {
  const events = fc.array(fc.constantFrom(...BATCH_SUBJECTS.batchItem.alphabet), { maxLength: 12 })

  it('begins only while it waits, and completes once', () => {
    fc.assert(
      fc.property(events, (actor) => {
        const item = TestedActor.start(batchItemMachine, { item: batchItem })
        for (const event of actor) {
          const before = itemStateOf(item)
          const answer = item.send(event)
          const after = itemStateOf(item)
          if (event.type === 'command.begin')
            expect(answer.type).toBe(before.value === 'waiting' ? 'accepted' : 'rejected')
          if (before.value === 'done') expect(after).toEqual(before)
          if (after.value === 'underWay') expect(after.context.transactionId).not.toBeNull()
          if (before.context.transactionId !== after.context.transactionId && before.context.transactionId !== null) {
            // Only an item that provably had no effect is executed again.
            expect([before.value, after.value]).toEqual([
              event.type === 'chain.split' ? 'underWay' : 'failed',
              'waiting',
            ])
            expect(after.context.earlier).toContain(before.context.transactionId)
          }
        }
      }),
    )
  })
})

describe('a batch', () => {
  const events = fc.array(fc.constantFrom(...BATCH_SUBJECTS.batch.alphabet), { maxLength: 20 })

  it('never loses or adds an item, and ends when no item is open', () => {
    fc.assert(
      fc.property(events, fc.boolean(), (actor, stopOnFailure) => {
        const subject = startBatch({ stopOnFailure })
        for (const event of actor) {
          subject.send(event)
          const {
            value,
            context: { counts, sweep, items },
          } = stateOf(subject)
          expect(Object.values<number>({ ...counts }).reduce((sum, count) => sum + count, 0)).toBe(items)
          expect(Object.values(counts).every((count) => count >= 0)).toBe(true)
          const isOpen = counts.waiting + counts.underWay > 0 || sweep !== null
          expect(['done', 'failed', 'cancelled'].includes(value)).toBe(!isOpen)
          if (value === 'done') expect(counts.done).toBe(items)
          if (value === 'failed') expect(counts.failed).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('begins no item while it is being cancelled', () => {
    const subject = startBatch()
    subject.send({ type: 'command.cancel', because: 'REQUESTED', at: AT })
    expect(subject.send({ type: 'command.begin', items: 1, at: AT })).toMatchObject({
      type: 'rejected',
      code: 'NOT_ITS_TURN',
    })
  })

  it('stops by itself after a failed item with the option for it', () => {
    const counts = (subject: TestedActor): BatchCounts => stateOf(subject).context.counts
    const subject = startBatch({ stopOnFailure: true })
    subject.send({ type: 'command.fail', items: 1, at: AT })
    expect(stateOf(subject).context.sweep).toEqual({ kind: 'CANCEL', because: 'FAILURE' })
    subject.send({ type: 'command.sweep', items: 2, from: 'waiting', to: 'cancelled', at: AT })
    subject.send({ type: 'command.swept', at: AT })
    expect([stateOf(subject).value, counts(subject).cancelled]).toEqual(['failed', 2])
    const requester = { ...batch.requester, keyId: 'key2' }
    subject.send({ type: 'command.retry', requester })
    expect(stateOf(subject)).toMatchObject({ value: 'underWay', context: { requester } })
  })
})
