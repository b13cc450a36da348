// Local time of IANA time zones. A local time maps to the first instant at which the clocks of the zone show it or a
// later time: in an overlap to the first of both, in a gap to the end of the gap.

const HOUR_MS = 3_600_000
/** Offsets are within -12 and +14 hours; a day that a zone skipped adds 24. */
const EARLIEST_MS = 15 * HOUR_MS
const LATEST_MS = 37 * HOUR_MS
const MAX_FORMATS = 1_000

const formats = new Map<string, Intl.DateTimeFormat>()

export interface LocalDate {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

/** True for a name of the time zone database, such as `Europe/Berlin` or `UTC`; false for an offset. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The clocks of the zone at an instant, as if they showed UTC. Unix milliseconds, whole seconds. */
function localTime(zone: string, instantMs: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

export function localDate(zone: string, instantMs: number): LocalDate {
  const local = new Date(localTime(zone, instantMs))
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
}

/** The first instant at which the clocks of the zone show `localMs` (as if UTC, whole seconds) or later. */
export function instantOf(zone: string, localMs: number): number {
  const offset = (instantMs: number): number => localTime(zone, instantMs) - instantMs
  const [from, to] = [localMs - EARLIEST_MS, localMs + LATEST_MS]
  const [before, after] = [offset(from), offset(to)]
  if (before === after) return localMs - before
  const changedAt = firstWith(from, to, (instantMs) => offset(instantMs) !== before)
  const unchanged = localMs - before
  return unchanged < changedAt ? unchanged : Math.max(changedAt, localMs - after)
}

/** The first whole second in (from, to] from which `holds` is true, if it changes once. */
function firstWith(from: number, to: number, holds: (instantMs: number) => boolean): number {
  let [low, high] = [from / 1_000, to / 1_000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle * 1_000)) high = middle
    else low = middle
  }
  return high * 1_000
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(zone, format)
  return format
}
