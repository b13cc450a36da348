// Times in rows that hold several of one moment: each after the first as the milliseconds from the beginning of its
// minute, which is much shorter.

/** A whole time, or the milliseconds from the beginning of the minute that the row names. */
export type TimeRow = string | number

/** Characters of `2026-11-26T01:43:`, and of a whole time. */
const MINUTE = 17
const WHOLE = 24
const SECONDS = /^[0-5]\d\.\d{3}Z$/

/** @param first a time of the row, ISO 8601 */
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
