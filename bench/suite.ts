// The interface of a suite: a subject and its baseline, measured alternately in one run, and the resulting figures.

export interface Options {
  /** Rounds of each side. */
  readonly rounds: number
  /** Length of the measured window of a round. */
  readonly windowMs: number
  /** Load before the first round of each side, not measured. */
  readonly warmupMs: number
  /** Connections, each with one request in flight. */
  readonly clients: number
  /** Number of records of suites with many records; null: the default of each suite. */
  readonly records: number | null
  /** Number of items of a batch; null: the default. */
  readonly items: number | null
  /** The node binary of all measured processes, including baselines. */
  readonly node: string
  /** Length of a soak. */
  readonly soakMs: number
  /** Load of a soak as a fraction of the maximum throughput: above 0, at most 1. */
  readonly load: number
  /** Directory for the CPU profile of the service; null: not profiled. */
  readonly profileDir: string | null
  /** Whether the suite `paths` prints every function that ran. */
  readonly list: boolean
  readonly note: (line: string) => void
}

/** One line of the table: a value per round. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
}

/** A chart: panels with a common x axis. */
export interface Chart {
  /** Name of its file. */
  readonly name: string
  readonly title: string
  readonly x: { readonly title: string; readonly scale: 'linear' | 'log' }
  readonly panels: readonly Panel[]
}

export interface Panel {
  /** The measured quantity, with its unit. */
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[]
}

export interface SuiteResult {
  readonly suite: string
  readonly about: string
  readonly figures: readonly Figure[]
  /** Descriptions of the passed checks. A failed check ends the run. */
  readonly checks: readonly string[]
  /** Summary of the profile of the service; empty if not profiled. */
  readonly profile: readonly string[]
  readonly charts?: readonly Chart[]
}

export interface Suite {
  readonly name: string
  readonly about: string
  /** A description of a missing requirement of the suite; null: nothing is missing. */
  missing?(): string | null
  /** Throws if the work was not done correctly. */
  run(options: Options): Promise<SuiteResult>
}
