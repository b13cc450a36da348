// Every machine answers each event exactly once, in every reachable state, and a refusal changes nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SUBJECTS, storyOf } from './events.ts'
import { expectSame } from '../same.ts'
import { TestedActor, type AnyEvent, type ActorSnapshot } from './tested-actor.ts'

/** Every snapshot that `depth` events of the alphabet lead to; those that differ only in notes count once. */
function reachable(
  machine: unknown,
  inputs: readonly unknown[],
  alphabet: readonly AnyEvent[],
  depth: number,
): ActorSnapshot[] {
  const snapshots = new Map<string, ActorSnapshot>()
  let edge = inputs.map((input) => TestedActor.start(machine, input).snapshot())
  for (let step = 0; step <= depth && edge.length > 0; step += 1) {
    const next: ActorSnapshot[] = []
    for (const snapshot of edge) {
      const key = JSON.stringify([
        snapshot.value,
        { ...(snapshot.context as object), history: null, attempts: null, last: null },
      ])
      if (snapshots.has(key)) continue
      snapshots.set(key, snapshot)
      if (step === depth) continue
      for (const event of alphabet) {
        const actor = TestedActor.restore(machine, snapshot)
        actor.collect(event)
        next.push(actor.snapshot())
      }
    }
    edge = next
  }
  return [...snapshots.values()]
}

describe.each(SUBJECTS)('$name', (subject) => {
  it('answers every event once in every reachable state, and reaches every state', () => {
    const states = reachable(subject.machine, subject.inputs, subject.alphabet, subject.depth ?? 2)
    for (const snapshot of states) {
      for (const event of [...subject.alphabet, { type: 'no.such' }]) {
        const actor = TestedActor.restore(subject.machine, snapshot)
        const answer = actor.send(event)
        // Every state handles all events of its kind: each refusal has a reason.
        const isUnknown = answer.type === 'rejected' && answer.code === 'UNKNOWN_EVENT'
        expectSame(
          { event: answer.event, unknown: isUnknown, alive: actor.alive },
          { event: event.type, unknown: event.type === 'no.such', alive: true },
          `${event.type} in ${String(snapshot.value)}`,
        )
      }
    }
    expect(new Set(states.map(({ value }) => value))).toStrictEqual(new Set(subject.states))
  })

  it('answers once, stays alive and JSON-safe, and changes nothing when it refuses', () => {
    fc.assert(
      fc.property(storyOf(subject), ({ input, events }) => {
        const actor = TestedActor.start(subject.machine, input)
        for (const event of events) {
          const before = actor.context()
          const value = actor.value
          const answer = actor.send(event)
          expectSame(answer.event, event.type)
          if (answer.type === 'rejected') {
            expect(answer.code).toMatch(/^[A-Z][A-Z0-9_]+$/)
            expect(answer.detail).not.toBe('')
            expect(actor.context()).toBe(before)
            expect(actor.value).toBe(value)
          }
          expectSame(actor.snapshot().context, actor.context())
          expect(subject.states).toContain(actor.value)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('refuses an unknown event by name', () => {
    for (const input of subject.inputs)
      expect(TestedActor.start(subject.machine, input).code({ type: 'chain.unheard' })).toBe('UNKNOWN_EVENT')
  })
})
