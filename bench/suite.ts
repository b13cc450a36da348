// A suite: a subject and its baseline, measured alternately in one run, and the resulting figures.

export interface Options {
  /** Rounds of each side. */
  readonly rounds: number
  /** Length of the measured window of a round. */
  readonly windowMs: number
  /** Load before the first round of each side, not measured. */
  readonly warmupMs: number
  /** Connections, each with one request under way. */
  readonly clients: number
  /** Records of the suites that have many; null: the usual number for each. */
  readonly records: number | null
  /** Items of a batch; null: the usual number. */
  readonly items: number | null
  /** The node binary that the measured processes run under, baselines too. */
  readonly node: string
  /** Length of a soak. */
  readonly soakMs: number
  /** Share of the peak throughput, for a soak: above 0, at most 1. */
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
  /** The checks, in words; a failed check ends the run instead. */
  readonly checks: readonly string[]
  /** The profile of the service, summarized; empty if it was not profiled. */
  readonly profile: readonly string[]
  readonly charts?: readonly Chart[]
}

export interface Suite {
  readonly name: string
  readonly about: string
  /** A missing requirement, in words; null: none. */
  missing?(): string | null
  /** Throws if the work was not done correctly. */
  run(options: Options): Promise<SuiteResult>
}
