// Approval policies after any sequence of commands: the terms are valid, a removed policy stays removed, and a release
// takes effect only after its delay. Approvals under a policy count by person.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isApproved, type Approval } from '../../machines/approval.ts'
import {
  approvalPolicyMachine,
  faultOfPolicy,
  isInForce,
  RELEASE_DELAY_MS,
  type ApprovalPolicyContext,
} from '../../machines/approval-policy.ts'
import { APPROVAL_SUBJECTS, approvalPolicy, LATER, MUCH_LATER } from './approval-subjects.ts'
import { AT } from './records.ts'
import { TestedActor } from './tested-actor.ts'

const stateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: ApprovalPolicyContext }

describe('an approval policy', () => {
  const events = fc.array(fc.constantFrom(...APPROVAL_SUBJECTS.approvalPolicy.alphabet), { maxLength: 12 })

  it('has valid terms, is removed for good, and is released only after the delay', () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 0, max: 2 * RELEASE_DELAY_MS }), (actor, passedMs) => {
        const policy = TestedActor.start(approvalPolicyMachine, { policy: approvalPolicy })
        for (const event of actor) {
          const before = stateOf(policy)
          const answer = policy.send(event)
          const after = stateOf(policy)
          expect(faultOfPolicy(after.context)).toBeNull()
          if (before.value === 'removed') expect([answer.type, after]).toEqual(['rejected', before])
          if (answer.type === 'rejected') expect(after).toEqual(before)
          // A change that names the approvers again sets the time from which rotations of their keys count.
          expect(after.context.approversNamedAt).toBe(
            event.type === 'command.update' &&
              answer.type === 'accepted' &&
              event.changes !== undefined &&
              'approvers' in event.changes
              ? LATER
              : before.context.approversNamedAt,
          )
          const at = Date.parse(AT) + passedMs
          const isReleased = after.context.release !== null && passedMs >= RELEASE_DELAY_MS
          expect(isInForce(after.value, after.context, at)).toBe(after.value === 'active' && !isReleased)
        }
      }),
    )
  })

  it('applies until a release takes effect, and not afterwards', () => {
    for (const [at, type] of [
      [LATER, 'accepted'],
      [MUCH_LATER, 'rejected'],
    ]) {
      const policy = TestedActor.start(approvalPolicyMachine, { policy: approvalPolicy })
      policy.send({ type: 'command.release', requestedBy: 'key9', reason: 'lost', at: AT })
      expect(policy.send({ type: 'command.keep', at }).type).toBe(type)
    }
  })
})

describe('approvals under a policy', () => {
  const keys = ['a1', 'a2', 'b1', 'c1', 'c2']
  const person = (keyId: string): string => keyId.slice(0, 1)
  const approvalBy = (words: readonly string[], requester: string, required: number): Approval => ({
    entries: [{ limit: 'policy', approvers: keys, required, shown: {} }],
    requesters: [requester],
    intent: '00',
    given: words.map((keyId) => ({ keyId, at: AT, entries: 1 })),
    expiresAt: MUCH_LATER,
    then: 'SEND',
  })

  it('count each person once: two keys of one person are not two approvals', () => {
    const electorate = { counts: () => true, personOf: person }
    expect(isApproved(approvalBy(['a1', 'a2'], 'b1', 2), electorate)).toBe(false)
    expect(isApproved(approvalBy(['a1', 'c2'], 'b1', 2), electorate)).toBe(true)
    expect(isApproved(approvalBy(['a2', 'c1'], 'a1', 2), electorate)).toBe(false)
  })

  it('count each person once, and never a requester', () => {
    fc.assert(
      fc.property(
        fc.subarray(keys, { minLength: 1 }),
        fc.array(fc.constantFrom(...keys), { maxLength: 6 }),
        fc.constantFrom(...keys),
        fc.integer({ min: 1, max: 3 }),
        fc.subarray(keys),
        (approvers, words, requester, required, usable) => {
          const { entries, ...rest } = approvalBy(words, requester, required)
          const approval: Approval = { ...rest, entries: entries.map((entry) => ({ ...entry, approvers })) }
          const persons = new Set(
            words
              .filter((each) => approvers.includes(each) && usable.includes(each) && person(each) !== person(requester))
              .map(person),
          )
          expect(isApproved(approval, { counts: (keyId) => usable.includes(keyId), personOf: person })).toBe(
            persons.size >= required,
          )
        },
      ),
    )
  })
})
