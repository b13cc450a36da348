// The endpoints of schedules; part of routes.ts.
import { cancelSchedule, pauseSchedule, resumeSchedule } from '../../operations/schedules/change-schedule.ts'
import { createSchedule } from '../../operations/schedules/create-schedule.ts'
import { fetchOccurrences, fetchSchedules, scheduleDetails } from '../../operations/schedules/read.ts'
import { OCCURRENCES, SCHEDULES } from '../../operations/views/bulk/schedules.ts'
import { group, read, write, type Route } from '../route.ts'
import * as answers from '../../contract/schemas/answers.ts'
import { bulkBody, partsBody } from '../../contract/values/bulk.ts'
import { itemBody } from '../../contract/values/chain-config.ts'
import * as schedules from '../../contract/schemas/schedule.ts'

/** The operation of a schedule decides which of the writing roles is needed. */
export const SCHEDULE_ROUTES: readonly Route[] = group(
  {
    tag: 'Schedules',
    path: '/api/v1/schedules',
    alsoBare: true,
    reads: ['TRANSACTIONS_READ'],
    writes: ['POSITIONS_WRITE', 'ACCOUNTS_WRITE'],
  },
  [
    write({
      method: 'POST',
      path: '',
      summary: 'Create a schedule',
      schema: schedules.newScheduleBody,
      operation: createSchedule,
      status: 201,
      transaction: 'never',
      answer: schedules.createdSchedule,
    }),
    read({
      path: '/single',
      summary: 'Fetch a schedule',
      schema: itemBody(schedules.scheduleReference),
      operation: scheduleDetails,
      answer: schedules.schedule,
    }),
    read({
      path: '/bulk',
      summary: 'Fetch schedules',
      schema: bulkBody(SCHEDULES),
      operation: fetchSchedules,
      answer: answers.page(schedules.schedule),
    }),
    read({
      path: '/occurrences/bulk',
      alsoBare: true,
      summary: 'Fetch occurrences of schedules',
      schema: partsBody(OCCURRENCES, schedules.scheduleReference),
      operation: fetchOccurrences,
      answer: answers.page(schedules.occurrence),
    }),
    write({
      method: 'PATCH',
      path: '/pause',
      summary: 'Pause a schedule',
      schema: itemBody(schedules.scheduleReference),
      operation: pauseSchedule,
      status: 200,
      transaction: 'never',
      answer: schedules.pausedSchedule,
    }),
    write({
      method: 'PATCH',
      path: '/resume',
      summary: 'Resume a schedule',
      schema: itemBody(schedules.scheduleReference),
      operation: resumeSchedule,
      status: 200,
      transaction: 'never',
      answer: schedules.resumedSchedule,
    }),
    write({
      method: 'PATCH',
      path: '/cancel',
      summary: 'Cancel a schedule',
      schema: itemBody(schedules.scheduleReference),
      operation: cancelSchedule,
      status: 200,
      transaction: 'never',
      answer: schedules.cancelledSchedule,
    }),
  ],
)
