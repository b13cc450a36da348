// What a suite is: a subject and its baseline, measured in turns in one run, and the figures that came out.

export interface Options {
  /** Rounds of each side. */
  readonly rounds: number
  /** Length of the measured window of a round. */
  readonly windowMs: number
  /** Load before the first round of each side, not measured. */
  readonly warmupMs: number
  /** Connections, each with one request under way. */
  readonly clients: number
  /** Wallets of the suite that asks about many. */
  readonly records: number
  /** Directory for the CPU profile of the service; null: not profiled. */
  readonly profileDir: string | null
  note(line: string): void
}

/** One line of the table: a value per round. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
}

export interface SuiteResult {
  readonly suite: string
  readonly about: string
  readonly figures: readonly Figure[]
  /** What was checked, in words; a check that failed ends the run instead. */
  readonly checks: readonly string[]
  /** The profile of the service, summed up; empty when not profiled. */
  readonly profile: readonly string[]
}

export interface Suite {
  readonly name: string
  readonly about: string
  /** Throws when the work was not done as it should. */
  run(options: Options): Promise<SuiteResult>
}
