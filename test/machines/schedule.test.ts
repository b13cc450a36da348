// For any order of the events of a schedule: no number is attempted twice, numbers only grow, and nothing is attempted
// unless the schedule is active.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FAILURES, scheduleMachine, type ScheduleContext } from '../../machines/schedule.ts'
import { AT } from './records.ts'
import { schedule, SCHEDULE_SUBJECTS } from './schedule-subjects.ts'
import { TestedActor } from './tested-actor.ts'

const stateOf = (machine: TestedActor) => machine.snapshot() as { value: string; context: ScheduleContext }
const problem = { code: 'FROZEN', message: 'frozen' }

/** Executes the next occurrence, as a driver would. */
function run(subject: TestedActor, more: object = {}): void {
  const { number } = stateOf(subject).context.next!
  const next = { number: number + 1, at: new Date(Date.parse(AT) + (number + 1) * 3_600_000).toISOString() }
  expect(subject.send({ type: 'command.run', number, at: AT, isOver: false, problem: null, next, ...more }).type).toBe(
    'accepted',
  )
}

describe('a schedule', () => {
  it('attempts no occurrence twice, and counts each skipped one', () => {
    const events = fc.array(fc.constantFrom(...SCHEDULE_SUBJECTS.schedule.alphabet), { maxLength: 20 })
    fc.assert(
      fc.property(events, fc.constantFrom(...SCHEDULE_SUBJECTS.schedule.inputs), (story, input) => {
        const subject = TestedActor.start(scheduleMachine, input)
        const attempted: number[] = []
        for (const event of story) {
          const before = stateOf(subject)
          const { type } = subject.send(event)
          const { value, context } = stateOf(subject)
          if (event.type === 'command.run' && type === 'accepted') {
            expect(before.value).toBe('active')
            const { number } = event as unknown as { number: number }
            expect(number).toBeGreaterThanOrEqual(before.context.next!.number)
            expect(attempted.every((each) => each < number)).toBe(true)
            attempted.push(number)
            expect(context.missed - before.context.missed).toBe(number - before.context.next!.number)
            expect(context.runs).toBe(before.context.runs + 1)
            if (context.next !== null) expect(context.next.number).toBeGreaterThan(number)
          }
          if (value === 'active')
            expect([context.next === null, context.failuresInARow < MAX_FAILURES]).toEqual([false, true])
          if (value === 'ended' || value === 'cancelled')
            expect([context.next, context.endedAt === null]).toEqual([null, false])
          expect(context.pausedBecause !== null).toBe(value === 'paused')
          expect(context.maxRuns === null || context.runs <= context.maxRuns).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('pauses itself after ten consecutive failures, and starts counting again after a success', () => {
    const subject = TestedActor.start(scheduleMachine, { schedule })
    for (let failures = 0; failures < 6; failures += 1) run(subject, { problem, isOver: true })
    run(subject)
    subject.send({ type: 'chain.done' })
    expect(stateOf(subject).context).toMatchObject({ failuresInARow: 0, lastProblem: null, runs: 7 })
    for (let failures = 0; failures < 5; failures += 1) run(subject, { problem, isOver: true })
    for (let failures = 0; failures < 4; failures += 1) run(subject)
    for (let failures = 0; failures < 4; failures += 1) subject.send({ type: 'chain.failed', problem })
    expect(stateOf(subject).value).toBe('active')
    run(subject, { problem, isOver: true })
    expect(stateOf(subject)).toMatchObject({
      value: 'paused',
      context: { pausedBecause: 'FAILURES', lastProblem: problem },
    })
    expect(subject.send({ type: 'command.resume', next: { number: 99, at: AT }, at: AT }).type).toBe('accepted')
    expect(stateOf(subject)).toMatchObject({ value: 'active', context: { pausedBecause: null, failuresInARow: 0 } })
  })
})
