// Encodes times of rows with several times that are close together: each after the first is the number of milliseconds
// since the start of the first one's minute, which is much shorter.

/** A full time, or the milliseconds since the start of the minute of the row's first time. */
export type TimeRow = string | number

/** Length of `2026-11-26T01:43:`, and of a full time. */
const MINUTE = 17
const WHOLE = 24
const SECONDS = /^[0-5]\d\.\d{3}Z$/

/** @param first the first time of the row, ISO 8601 */
export function timeRow(time: string, first: string): TimeRow {
  if (time.length !== WHOLE || first.length !== WHOLE || !time.startsWith(first.slice(0, MINUTE))) return time
  const seconds = time.slice(MINUTE)
  return SECONDS.test(seconds) ? Number(seconds.slice(0, 2)) * 1_000 + Number(seconds.slice(3, 6)) : time
}

export function timeOfRow(row: TimeRow, first: string): string {
  if (typeof row === 'string') return row
  const digits = String(row).padStart(5, '0')
  return `${first.slice(0, MINUTE)}${digits.slice(0, 2)}.${digits.slice(2)}Z`
}
