// The instants of schedules, compared with a reference that goes through the minutes of a time zone and reads its
// clocks.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTERVAL_MS } from '../../../machines/recurrence.ts'
import { DueIndex } from '../../../src/operations/context/due-index.ts'
import { dueAt, firstFrom, type Recurrence } from '../../../src/operations/schedules/recurrence.ts'
import { isZone } from '../../../src/time/zone.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/Santiago',
  'Antarctica/Troll',
]

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time in the zone, e.g. `2026-03-29 03:00`. */
function shownAt(zone: string, instantMs: number): string {
  const formatter =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
  clocks.set(zone, formatter)
  return formatter.format(instantMs)
}

/** The first minute whose local time is this or later. */
function naiveInstant(zone: string, wallTime: string): number {
  const about = Date.parse(`${wallTime.replace(' ', 'T')}Z`)
  for (let instant = about - 15 * 60 * MINUTE_MS; ; instant += MINUTE_MS)
    if (shownAt(zone, instant) >= wallTime) return instant
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The days of the calendar that a schedule names, without arithmetic of time zones. */
function* namedDays(fromMs: number, dayOfMonth: number | null): Generator<string> {
  for (let day = fromMs - 3 * DAY_MS; ; day += DAY_MS) {
    const date = new Date(day)
    const tomorrow = new Date(day + DAY_MS)
    const isLast = tomorrow.getUTCMonth() !== date.getUTCMonth()
    const number = date.getUTCDate()
    if (dayOfMonth === null || number === dayOfMonth || (isLast && number < dayOfMonth))
      yield `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(number)}`
  }
}

function naiveOccurrences(recurrence: Recurrence, fromMs: number, count: number): number[] {
  const { dayOfMonth, time, zone } = recurrence.at!
  const instants: number[] = []
  for (const day of namedDays(fromMs, dayOfMonth)) {
    const instant = naiveInstant(zone, `${day} ${time}`)
    if (instant >= fromMs && instant !== instants.at(-1)) instants.push(instant)
    if (instants.length === count) return instants
  }
  return instants
}

function occurrences(recurrence: Recurrence, fromMs: number, count: number): number[] {
  const instants: number[] = []
  for (let from = fromMs; instants.length < count; from = instants.at(-1)! + 1)
    instants.push(firstFrom(recurrence, from)!)
  return instants
}

const calendar = (zone: string, time: string, dayOfMonth: number | null): Recurrence => ({
  startAt: '2011-01-01T00:00:00.000Z',
  every: null,
  at: { dayOfMonth, time, zone },
  endAt: null,
})

/** Days on which the offset of the zone changes, 2011 to 2040. */
function changes(zone: string): number[] {
  const offset = (instant: number): number => Date.parse(`${shownAt(zone, instant).replace(' ', 'T')}Z`) - instant
  const days: number[] = []
  for (let day = Date.UTC(2011, 0, 1); day < Date.UTC(2041, 0, 1); day += DAY_MS)
    if (offset(day) !== offset(day + DAY_MS)) days.push(day)
  return days
}

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`)
const dayOfMonth = fc.option(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31)))

describe('a schedule by calendar', () => {
  it.each(ZONES)('occurs in %s when local clocks first show the time or later', (zone) => {
    const days = changes(zone)
    const from = fc
      .integer({ min: Date.UTC(2011, 0, 1) / MINUTE_MS, max: Date.UTC(2040, 0, 1) / MINUTE_MS })
      .map((minute) => minute * MINUTE_MS)
    const start =
      days.length === 0
        ? from
        : fc.oneof(
            from,
            fc.tuple(fc.constantFrom(...days), fc.integer({ min: -2, max: 1 })).map(([day, by]) => day + by * DAY_MS),
          )
    fc.assert(
      fc.property(start, time, dayOfMonth, (fromMs, at, day) => {
        const recurrence = calendar(zone, at, day)
        expect(occurrences(recurrence, fromMs, 2)).toEqual(naiveOccurrences(recurrence, fromMs, 2))
      }),
      { numRuns: 30 },
    )
  })

  const iso = (recurrence: Recurrence, from: string, count: number) =>
    occurrences(recurrence, Date.parse(from), count).map((each) => new Date(each).toISOString())

  it('is on the last day of a shorter month, in leap years too', () => {
    expect(iso(calendar('UTC', '09:00', 31), '2028-01-31T00:00:00Z', 4)).toEqual([
      '2028-01-31T09:00:00.000Z',
      '2028-02-29T09:00:00.000Z',
      '2028-03-31T09:00:00.000Z',
      '2028-04-30T09:00:00.000Z',
    ])
    expect(iso(calendar('UTC', '09:00', 29), '2027-02-01T00:00:00Z', 2)).toEqual([
      '2027-02-28T09:00:00.000Z',
      '2027-03-29T09:00:00.000Z',
    ])
  })

  it('occurs once at the end of a gap, and once at the first of two equal local times', () => {
    expect(iso(calendar('Europe/Berlin', '02:30', null), '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ])
    expect(iso(calendar('Europe/Berlin', '02:30', null), '2027-10-30T12:00:00Z', 2)).toEqual([
      '2027-10-31T00:30:00.000Z',
      '2027-11-01T01:30:00.000Z',
    ])
  })

  it('accepts only zones of the database', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'america/new_york']) expect(isZone(zone)).toBe(true)
    for (const zone of ['', '+01:00', 'Europe/Nowhere', 'CEST ']) expect(isZone(zone)).toBe(false)
  })
})

describe('a schedule at an interval', () => {
  const start = Date.UTC(2026, 0, 1)
  const every = fc.record({
    code: fc.constantFrom(...(Object.keys(INTERVAL_MS) as (keyof typeof INTERVAL_MS)[])),
    unit: fc.integer({ min: 1, max: 5 }),
  })
  const spans = fc.integer({ min: -2, max: 30 })

  it('computes due occurrences directly, equal to the enumeration', () => {
    fc.assert(
      fc.property(
        every,
        spans,
        fc.integer({ min: 0, max: 599_999 }),
        fc.option(fc.integer({ min: 0, max: 25 })),
        (interval, span, rest, last) => {
          const intervalMs = interval.unit * INTERVAL_MS[interval.code]
          const endAt = last === null ? null : new Date(start + last * intervalMs).toISOString()
          const recurrence = { startAt: new Date(start).toISOString(), every: interval, at: null, endAt }
          const now = start + span * intervalMs + Math.min(rest, intervalMs - 1)
          const enumeration = Array.from({ length: 40 }, (_, index) => ({
            number: index + 1,
            at: new Date(start + index * intervalMs).toISOString(),
          })).filter((_, index) => last === null || index <= last)
          const past = enumeration.filter(({ at }) => Date.parse(at) <= now)
          const expected =
            past.length === 0
              ? null
              : { latest: past.at(-1), preceding: past.at(-2) ?? null, following: enumeration[past.length] ?? null }
          expect(dueAt(recurrence, enumeration[0]!, now)).toEqual(expected)
        },
      ),
    )
  })

  it('keeps its phase when it begins later', () => {
    const recurrence: Recurrence = {
      startAt: '2026-01-01T00:10:00.000Z',
      every: { code: 'HOURS', unit: 1 },
      at: null,
      endAt: '2026-01-02T00:10:00.000Z',
    }
    expect(firstFrom(recurrence, Date.parse('2026-01-01T05:10:00Z'))).toBe(Date.parse('2026-01-01T05:10:00Z'))
    expect(firstFrom(recurrence, Date.parse('2026-01-01T05:10:00.001Z'))).toBe(Date.parse('2026-01-01T06:10:00Z'))
    expect(firstFrom(recurrence, Date.parse('2026-01-02T00:10:00Z'))).toBe(Date.parse('2026-01-02T00:10:00Z'))
    expect(firstFrom(recurrence, Date.parse('2026-01-02T00:10:01Z'))).toBeNull()
  })
})

it('the index returns due schedules, earliest first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: 0, max: 50 }), (instants, now) => {
      const index = new DueIndex<number>()
      // Each key has another instant before its last one, and some are deleted.
      for (const key of instants.keys()) index.insert(key, 50 - instants[key]!)
      for (const [key, at] of instants.entries()) index.insert(key, at)
      index.insert(-1, 0)
      index.delete(-1)
      index.delete(-2)
      const takenInstants: number[] = []
      for (let next = index.take(now); next !== undefined; next = index.take(now)) takenInstants.push(instants[next]!)
      expect(takenInstants).toEqual(instants.filter((at) => at <= now).sort((a, b) => a - b))
      expect(index.size).toBe(instants.length - takenInstants.length)
    }),
  )
})
