// A record that is passivated and activated equals one that stayed active; and the live actor equals the pure
// transition function.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import { SUBJECTS, storyOf } from './events.ts'
import { TestedActor } from './tested-actor.ts'

describe.each(SUBJECTS)('$name', (subject) => {
  it('restored at any step equals one never restored', () => {
    fc.assert(
      fc.property(storyOf(subject), fc.infiniteStream(fc.boolean()), ({ input, events }, sleeps) => {
        const steady = TestedActor.start(subject.machine, input)
        let sleeper = TestedActor.start(subject.machine, input)
        for (const event of events) {
          if (sleeps.next().value) sleeper = TestedActor.restore(subject.machine, sleeper.snapshot())
          expect(sleeper.collect(event)).toStrictEqual(steady.collect(event))
          expect(sleeper.snapshot()).toStrictEqual(steady.snapshot())
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gives the same result in an actor and as a pure function', () => {
    fc.assert(
      fc.property(storyOf(subject), ({ input, events }) => {
        const machine = subject.machine as AnyStateMachine
        const live = TestedActor.start(machine, input)
        let [pure] = initialTransition(machine, input) as [AnyMachineSnapshot, unknown]
        for (const event of events) {
          live.collect(event)
          ;[pure] = transition(machine, pure, event) as [AnyMachineSnapshot, unknown]
          expect({ value: live.value, context: live.context() }).toStrictEqual({
            value: pure.value as unknown,
            context: pure.context as unknown,
          })
        }
      }),
      { numRuns: 60 },
    )
  })
})
