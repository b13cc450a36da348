// What a simulated world is run with, and what it reports.
import type { Surroundings } from './process.ts'
import { Tally } from './tally.ts'

export interface WorldOptions {
  readonly seed: string
  /** Events with faults. Building the town before and coming to rest after are not counted. */
  readonly steps: number
  readonly planted?: Surroundings['planted']
  readonly tally?: Tally
  /** An address whose fate is printed. */
  readonly trace?: string | undefined
}

export interface Report {
  readonly seed: string
  readonly climate: string
  readonly steps: number
  readonly elapsedMs: number
  /** The same when the same seed is run again. */
  readonly digest: number
  readonly tally: Tally
}
