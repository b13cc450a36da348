// The table of a machine is equivalent to the machine: the same state, context and emitted events as XState, for every
// state and event of every machine.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assign, createMachine, emit, setup, type AnyStateMachine } from 'xstate'
import { tableOf } from '../../../src/engine/records/transition-table.ts'
import { SUBJECTS, storyOf, type Subject } from '../../machines/events.ts'
import { expectSame } from '../../same.ts'
import { TestedActor, type AnyEvent, type ActorSnapshot } from '../../machines/tested-actor.ts'

const MAX_SNAPSHOTS = 200
const STRANGE: readonly AnyEvent[] = [{ type: 'command.nothing' }, { type: 'chain.unheard' }]

function both(subject: Subject): { readonly chart: unknown; readonly table: unknown } {
  return { chart: subject.machine, table: tableOf(subject.machine as AnyStateMachine) }
}

/** Snapshots that the alphabet reaches: the first of each state before further ones. */
function exploreStates(subject: Subject): ActorSnapshot[] {
  const snapshots = new Map<string, ActorSnapshot>()
  const states = new Set<unknown>()
  const queue: ActorSnapshot[] = []
  const note = (snapshot: ActorSnapshot): void => {
    const key = JSON.stringify(snapshot)
    if (snapshots.has(key)) return
    snapshots.set(key, snapshot)
    if (states.has(snapshot.value)) queue.push(snapshot)
    else queue.unshift(snapshot)
    states.add(snapshot.value)
  }
  for (const input of subject.inputs) note(TestedActor.start(subject.machine, input).snapshot())
  for (
    let snapshot = queue.shift();
    snapshot !== undefined && snapshots.size < MAX_SNAPSHOTS;
    snapshot = queue.shift()
  ) {
    for (const event of subject.alphabet) {
      const actor = TestedActor.restore(subject.machine, snapshot)
      actor.collect(event)
      note(actor.snapshot())
    }
  }
  return [...snapshots.values()]
}

describe.each(SUBJECTS)('$name', (subject) => {
  const { chart, table } = both(subject)

  it('has the same initial state as the chart', () => {
    for (const input of subject.inputs) {
      const [one, other] = [TestedActor.start(chart, input), TestedActor.start(table, input)]
      expect({ value: other.value, context: other.context() }).toStrictEqual({
        value: one.value,
        context: one.context(),
      })
    }
  })

  it('answers every event in every state like the chart', () => {
    const snapshots = exploreStates(subject)
    expect(new Set(snapshots.map(({ value }) => value))).toStrictEqual(new Set(subject.states))
    for (const snapshot of snapshots) {
      for (const event of [...subject.alphabet, ...STRANGE]) {
        const [one, other] = [TestedActor.restore(chart, snapshot), TestedActor.restore(table, snapshot)]
        expectSame(other.collect(event), one.collect(event))
        expectSame({ value: other.value, context: other.context() }, { value: one.value, context: one.context() })
      }
    }
  })

  it('handles any sequence of events like the chart, restored or not', () => {
    fc.assert(
      fc.property(storyOf(subject), fc.infiniteStream(fc.boolean()), ({ input, events }, restores) => {
        const one = TestedActor.start(chart, input)
        let other = TestedActor.start(table, input)
        for (const event of events) {
          if (restores.next().value) other = TestedActor.restore(table, other.snapshot())
          expectSame(other.collect(event), one.collect(event))
          expectSame(other.snapshot(), one.snapshot())
        }
      }),
      { numRuns: 60 },
    )
  })

  it('returns the same context object if nothing changes', () => {
    for (const input of subject.inputs) {
      const actor = TestedActor.start(table, input)
      const before = actor.context()
      actor.collect(STRANGE[0]!)
      expect(actor.context()).toBe(before)
    }
  })
})

describe('unsupported features of a chart are refused', () => {
  const base = setup({
    actions: { set: assign((_, patch: object) => patch), say: emit(() => ({ type: 'said' })), run: () => undefined },
  })
  const flat = { initial: 'a', states: { a: {}, b: {} } } as const

  it.each<[string, unknown]>([
    ['an entry action', base.createMachine({ initial: 'a', states: { a: { entry: 'say' } } })],
    ['an entry action of the root', base.createMachine({ ...flat, entry: 'say' })],
    ['nested states', createMachine({ initial: 'a', states: { a: { initial: 'b', states: { b: {} } } } })],
    ['a final state', createMachine({ initial: 'a', states: { a: { type: 'final' } } })],
    ['an invoke', createMachine({ initial: 'a', states: { a: { invoke: { src: 'x' } } } })],
    [
      'eventless transitions of a later state',
      createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: { always: 'a' } } }),
    ],
    [
      'a way back to eventless transitions',
      createMachine({ initial: 'a', states: { a: { always: 'b' }, b: { on: { go: 'a' } } } }),
    ],
    ['partial wildcards', createMachine({ ...flat, on: { 'go.*': '.b' } })],
    ['an action without a name', createMachine({ ...flat, on: { go: { actions: () => undefined } } })],
    ['an action that does something', base.createMachine({ ...flat, on: { go: { actions: 'run' } } })],
    ['a guard without a name', createMachine({ ...flat, on: { go: { guard: () => true, target: '.b' } } })],
    ['timers', createMachine({ initial: 'a', states: { a: { after: { 1000: 'b' } }, b: {} } })],
  ])('%s', (_, machine) => {
    expect(() => tableOf(machine as AnyStateMachine)).toThrow(Error)
  })

  it('accepts a chart without unsupported features', () => {
    const actor = TestedActor.start(
      tableOf(base.createMachine({ ...flat, on: { go: { target: '.b', actions: 'say' } } })),
      undefined,
    )
    expect(actor.collect({ type: 'go' })).toStrictEqual([{ type: 'said' }])
    expect(actor.value).toBe('b')
  })
})
