// The cooling-off time of an address starts again whenever the status of the counterparty permits more.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  counterpartyMachine,
  MAX_COUNTERPARTY_ADDRESSES,
  type CounterpartyContext,
} from '../../machines/counterparty.ts'
import { counterparty, COUNTERPARTY_SUBJECTS, LATER } from './counterparty-subjects.ts'
import { AT } from './records.ts'
import { TestedActor } from './tested-actor.ts'

const contextOf = (subject: TestedActor) => (subject.snapshot() as { context: CounterpartyContext }).context
const RANK = { BLOCKED: 0, REVIEW: 1, ALLOWED: 2 }

describe('a counterparty', () => {
  it('lists each address once, with a date no earlier than its listing or permission', () => {
    const events = fc.array(fc.constantFrom(...COUNTERPARTY_SUBJECTS.counterparty.alphabet), { maxLength: 12 })
    fc.assert(
      fc.property(events, fc.constantFrom(...COUNTERPARTY_SUBJECTS.counterparty.inputs), (actor, input) => {
        const subject = TestedActor.start(counterpartyMachine, input)
        actor.forEach((event, index) => {
          const before = contextOf(subject)
          const at = new Date(Date.parse(LATER) + index * 60_000).toISOString()
          const answer = subject.send({ ...event, at })
          const after = contextOf(subject)
          if (answer.type === 'rejected') {
            expect(after).toEqual(before)
            return
          }
          const addresses = after.addresses.map(({ address }) => address)
          expect(new Set(addresses).size).toBe(addresses.length)
          for (const { address, since } of after.addresses) {
            const previous = before.addresses.find((each) => each.address === address)
            const restarts = previous === undefined || RANK[after.status] > RANK[before.status]
            expect(since).toBe(restarts ? at : previous.since)
          }
        })
      }),
    )
  })

  it('keeps the date of an address when its label or the name changes', () => {
    const subject = TestedActor.start(counterpartyMachine, { counterparty })
    subject.send({
      type: 'command.update',
      changes: { name: 'Bank two', addresses: [{ address: 'One111', label: 'other' }] },
      at: LATER,
    })
    expect(contextOf(subject)).toMatchObject({
      name: 'Bank two',
      addresses: [{ address: 'One111', label: 'other', since: AT }],
      updatedAt: LATER,
    })
  })

  it('refuses more addresses than the maximum', () => {
    const subject = TestedActor.start(counterpartyMachine, { counterparty })
    const addresses = Array.from({ length: MAX_COUNTERPARTY_ADDRESSES + 1 }, (_, index) => ({
      address: `Address${index}`,
      label: null,
    }))
    expect(subject.send({ type: 'command.update', changes: { addresses }, at: LATER })).toMatchObject({
      code: 'COUNTERPARTY_INVALID',
    })
  })
})
