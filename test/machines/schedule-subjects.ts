// Schedules and their occurrences for tests of their machines.
import type { OccurrenceContext } from '../../machines/occurrence.ts'
import type { ScheduleContext } from '../../machines/schedule.ts'
import { AT } from './records.ts'

const at = (number: number): string => new Date(Date.parse(AT) + number * 3_600_000).toISOString()
const plannedOccurrence = (number: number) => ({ number, at: at(number) })

export const schedule: ScheduleContext = {
  organization: 'ACME',
  endpoint: 'POST /api/v1/schedules',
  requestId: 'r1',
  requester: {
    keyId: 'key1',
    organization: 'ACME',
    tenant: 'ACME',
    system: false,
    roles: ['POSITIONS_WRITE'],
    clusters: null,
  },
  operation: 'TRANSFER',
  data: { lamports: '1' },
  itemReference: 'RENT',
  config: null,
  externalReference: null,
  startAt: at(1),
  every: { code: 'HOURS', unit: 1 },
  at: null,
  endAt: null,
  maxRuns: null,
  onMissed: 'RUN_ONCE',
  next: plannedOccurrence(1),
  runs: 0,
  missed: 0,
  failuresInARow: 0,
  lastProblem: null,
  lastRunAt: null,
  pausedBecause: null,
  createdAt: AT,
  endedAt: null,
}

export const occurrence: OccurrenceContext = {
  scheduleId: 'schedule-1',
  organization: 'ACME',
  number: 1,
  dueAt: at(1),
  missedUntil: null,
  transactionId: 'tx-1',
  members: null,
  problem: null,
  startedAt: AT,
  endedAt: null,
}

const problem = { code: 'INSUFFICIENT_BALANCE', message: 'too little' }
const run = (number: number, more: object = {}) => ({
  type: 'command.run',
  number,
  at: at(number),
  isOver: false,
  problem: null,
  next: plannedOccurrence(number + 1),
  ...more,
})

export const SCHEDULE_SUBJECTS = {
  schedule: {
    inputs: [{ schedule }, { schedule: { ...schedule, maxRuns: 2, failuresInARow: 8 } }],
    states: ['active', 'paused', 'ended', 'cancelled'],
    alphabet: [
      ...[1, 2, 3, 4].map((number) => run(number)),
      run(2, { problem, isOver: true }),
      run(3, { isOver: true }),
      run(3, { next: plannedOccurrence(3) }),
      run(4, { next: null }),
      { type: 'clock.missed', missed: 1, next: plannedOccurrence(2), at: AT },
      { type: 'clock.missed', missed: 2, next: plannedOccurrence(4), at: AT },
      { type: 'clock.missed', missed: 3, next: null, at: AT },
      { type: 'command.pause' },
      { type: 'command.resume', next: plannedOccurrence(5), at: AT },
      { type: 'command.resume', next: null, at: AT },
      { type: 'command.cancel', at: AT },
      { type: 'chain.done' },
      { type: 'chain.failed', problem },
    ],
  },
  occurrence: {
    inputs: [
      { occurrence, state: 'underWay' },
      { occurrence: { ...occurrence, transactionId: null, endedAt: AT }, state: 'done' },
      { occurrence: { ...occurrence, transactionId: null, problem, endedAt: AT }, state: 'failed' },
      {
        occurrence: { ...occurrence, transactionId: null, missedUntil: { number: 3, dueAt: at(3) }, endedAt: AT },
        state: 'missed',
      },
    ],
    states: ['underWay', 'done', 'failed', 'missed'],
    alphabet: ['tx-1', 'tx-2'].flatMap((transactionId) => [
      { type: 'chain.done', transactionId, at: AT },
      { type: 'chain.failed', transactionId, problem, at: AT },
    ]),
  },
}
