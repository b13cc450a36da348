// Pending changes: in any sequence of events a change is applied at most once, only while it is pending, and never
// without the required number of approvals by others.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pendingChangeMachine, type PendingChangeContext } from '../../machines/pending-change.ts'
import { APPROVAL_SUBJECTS, pendingChange } from './approval-subjects.ts'
import { TestedActor } from './tested-actor.ts'

const stateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: PendingChangeContext }

describe('a pending change', () => {
  it('is applied once, with its approvals, or never', () => {
    let applied = 0
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...APPROVAL_SUBJECTS.pendingChange.alphabet), { maxLength: 14 }),
        (actor) => {
          const change = TestedActor.start(pendingChangeMachine, { change: pendingChange })
          for (const event of actor) {
            const before = stateOf(change)
            const answer = change.send(event)
            const after = stateOf(change)
            if (answer.type === 'rejected' || before.value !== 'pending') expect(after).toEqual(before)
            if (after.value !== 'applied' || before.value === 'applied') continue
            applied += 1
            expect([before.value, event.type]).toEqual(['pending', 'command.apply'])
            const { entries, given, requesters } = after.context.approval
            for (const { approvers, required } of entries) {
              const others = new Set(
                given
                  .map(({ keyId }) => keyId)
                  .filter((keyId) => approvers.includes(keyId) && !requesters.includes(keyId)),
              )
              expect(others.size).toBeGreaterThanOrEqual(required)
            }
          }
        },
      ),
      { numRuns: 2_000 },
    )
    expect(applied).toBeGreaterThan(0)
  })

  it('is rejected only by its requester or an approver', () => {
    const reject = (keyId: string) =>
      TestedActor.start(pendingChangeMachine, { change: pendingChange }).send({
        type: 'command.reject',
        keyId,
        reason: null,
        at: pendingChange.createdAt,
      })
    expect(['key1', 'key2', 'key9'].map((keyId) => reject(keyId).type)).toEqual(['accepted', 'accepted', 'rejected'])
  })
})
