// When a schedule recurs: at a fixed interval, or by the calendar of a time zone. This file has only the types;
// instants are computed outside the machines.

export const INTERVAL_MS = { MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000, WEEKS: 604_800_000 } as const

export interface Every {
  readonly code: keyof typeof INTERVAL_MS
  readonly unit: number
}

export interface CalendarTime {
  /** 1 to 31; in a shorter month its last day. null: every day. */
  readonly dayOfMonth: number | null
  /** `HH:MM`, local time of the zone. */
  readonly time: string
  /** IANA time zone. */
  readonly zone: string
}

/** A planned occurrence. */
export interface PlannedOccurrence {
  /** From 1; missed ones have numbers too. */
  readonly number: number
  /** ISO 8601. */
  readonly at: string
}
