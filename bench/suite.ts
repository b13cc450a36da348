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
  /** Records of the suites that have many; null: as many as is usual for each. */
  readonly records: number | null
  /** Items of a batch; null: as many as are usual. */
  readonly items: number | null
  /** The node binary that the measured processes run under, baselines too. */
  readonly node: string
  /** Length of a soak. */
  readonly soakMs: number
  /** Share of the most that the service can do, for a soak: above 0, at most 1. */
  readonly load: number
  /** Directory for the CPU profile of the service; null: not profiled. */
  readonly profileDir: string | null
  /** Whether to print every function that ran, of the suite that counts them. */
  readonly list: boolean
  readonly note: (line: string) => void
}

/** One line of the table: a value per round. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
}

/** A picture of what was measured: panels over one x axis. */
export interface Chart {
  /** Of its file. */
  readonly name: string
  readonly title: string
  readonly x: { readonly title: string; readonly scale: 'linear' | 'log' }
  readonly panels: readonly Panel[]
}

export interface Panel {
  /** What is measured, with its unit. */
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[]
}

export interface SuiteResult {
  readonly suite: string
  readonly about: string
  readonly figures: readonly Figure[]
  /** What was checked, in words; a check that failed ends the run instead. */
  readonly checks: readonly string[]
  /** The profile of the service, summed up; empty when not profiled. */
  readonly profile: readonly string[]
  readonly charts?: readonly Chart[]
}

export interface Suite {
  readonly name: string
  readonly about: string
  /** What it cannot be run without and is not here, in words; null: nothing. */
  missing?(): string | null
  /** Throws when the work was not done as it should. */
  run(options: Options): Promise<SuiteResult>
}
