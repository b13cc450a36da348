// The instants of a schedule: a fixed interval from its start, or a local time of a zone on a day of each month.
import { INTERVAL_MS, type CalendarTime, type PlannedOccurrence } from '../../../machines/recurrence.ts'
import type { ScheduleContext } from '../../../machines/schedule.ts'
import { instantOf, localDate } from '../../time/zone.ts'

const DAY_MS = 86_400_000
/** The last year that ISO 8601 writes with four digits. */
const LAST_MS = Date.UTC(9_999, 11, 31)

export type Recurrence = Pick<ScheduleContext, 'startAt' | 'every' | 'at' | 'endAt'>

/** The occurrences of a schedule around an instant. */
export interface Due {
  /** The latest occurrence that is due. */
  readonly latest: PlannedOccurrence
  /** The occurrence before `latest`, if it is due too. */
  readonly preceding: PlannedOccurrence | null
  /** The occurrence after `latest`; null: none. */
  readonly following: PlannedOccurrence | null
}

/** The first instant at `fromMs` or later, Unix milliseconds; null: none until the end. */
export function firstFrom({ startAt, every, at, endAt }: Recurrence, fromMs: number): number | null {
  const startMs = Date.parse(startAt)
  const earliestMs = Math.max(startMs, fromMs)
  let instantMs: number
  if (at !== null) instantMs = calendarFrom(at, earliestMs)
  else {
    const intervalMs = every === null ? Infinity : every.unit * INTERVAL_MS[every.code]
    instantMs = earliestMs === startMs ? startMs : startMs + Math.ceil((earliestMs - startMs) / intervalMs) * intervalMs
  }
  return instantMs > (endAt === null ? LAST_MS : Date.parse(endAt)) ? null : instantMs
}

/** The occurrence with this number at `fromMs` or later; null: none until the end. */
export function plannedFrom(recurrence: Recurrence, number: number, fromMs: number): PlannedOccurrence | null {
  const instantMs = firstFrom(recurrence, fromMs)
  return instantMs === null ? null : { number, at: new Date(instantMs).toISOString() }
}

/** The occurrences that are due at `nowMs`, from the next planned one on; null: none. */
export function dueAt(recurrence: Recurrence, next: PlannedOccurrence, nowMs: number): Due | null {
  if (Date.parse(next.at) > nowMs) return null
  let preceding: PlannedOccurrence | null = null
  let latest = latestInterval(recurrence, next, nowMs)
  if (latest.number > next.number) preceding = intervalBefore(recurrence, latest)
  for (;;) {
    const following = plannedFrom(recurrence, latest.number + 1, Date.parse(latest.at) + 1)
    if (following === null || Date.parse(following.at) > nowMs) return { latest, preceding, following }
    preceding = latest
    latest = following
  }
}

/** The latest occurrence of a fixed interval until `nowMs`, computed without a step for each occurrence. */
function latestInterval({ every, endAt }: Recurrence, next: PlannedOccurrence, nowMs: number): PlannedOccurrence {
  if (every === null) return next
  const intervalMs = every.unit * INTERVAL_MS[every.code]
  const nextMs = Date.parse(next.at)
  const passed = Math.max(
    0,
    Math.floor((Math.min(nowMs, endAt === null ? nowMs : Date.parse(endAt)) - nextMs) / intervalMs),
  )
  return { number: next.number + passed, at: new Date(nextMs + passed * intervalMs).toISOString() }
}

function intervalBefore({ every }: Recurrence, { number, at }: PlannedOccurrence): PlannedOccurrence | null {
  return every === null
    ? null
    : { number: number - 1, at: new Date(Date.parse(at) - every.unit * INTERVAL_MS[every.code]).toISOString() }
}

function calendarFrom({ dayOfMonth, time, zone }: CalendarTime, earliestMs: number): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const timeMs = (hours * 60 + minutes) * 60_000
  // The zone may skip a day, whose local times map to the day after it, so the search begins two days earlier.
  const first = localDate(zone, earliestMs - 2 * DAY_MS)
  for (let step = 0; ; step += 1) {
    const localMs =
      dayOfMonth === null
        ? Date.UTC(first.year, first.month - 1, first.day + step)
        : Date.UTC(
            first.year,
            first.month - 1 + step,
            Math.min(dayOfMonth, lastDay(first.year, first.month - 1 + step)),
          )
    if (localMs > LAST_MS - 2 * DAY_MS) return Infinity
    const instantMs = instantOf(zone, localMs + timeMs)
    if (instantMs >= earliestMs) return instantMs
  }
}

/** @param monthIndex from 0; may exceed 11 */
function lastDay(year: number, monthIndex: number): number {
  return new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate()
}
