// The options of a simulated world, and its report.
import type { NodeFault } from './nodes/fleet.ts'
import type { PlantedProtocol } from './nodes/planted-protocol.ts'
import type { Surroundings } from './process.ts'
import { Tally } from './audits/tally.ts'
import type { ClimateName } from './faults.ts'

/** Parts of the service that a world exercises. */
export const SIDE_NAMES = [
  'payments',
  'loans',
  'limits',
  'tables',
  'switches',
  'closings',
  'attacker',
  'provided',
  'assets',
  'statements',
  'hooks',
] as const
export type SideName = (typeof SIDE_NAMES)[number]

export interface WorldOptions {
  readonly seed: string
  /** Events with faults, without the creation of the tenants before and the rest period afterwards. */
  readonly steps: number
  /** Sides of the world: its events then concern only these. Absent: every side. */
  readonly sides?: readonly SideName[]
  /** Faults and their rates. Absent: by the seed. */
  readonly climate?: ClimateName
  /** Kinds of violation that end the run. Absent: any does. */
  readonly lookedFor?: readonly string[]
  /** On one database; 1 (the default): one process with its own disk. */
  readonly nodes?: number
  readonly planted?: Surroundings['planted']
  /** Of several nodes. */
  readonly plantedProtocol?: PlantedProtocol
  /** Faults of several nodes and their database that happen. Absent: all. */
  readonly nodeFaults?: readonly NodeFault[]
  /** Of several nodes: whether they check their own lease. Absent: by the seed. */
  readonly checksOwnLease?: boolean
  readonly tally?: Tally
  /** An address whose history is printed. */
  readonly trace?: string | undefined
}

export interface Report {
  readonly seed: string
  readonly climate: string
  readonly steps: number
  readonly elapsedMs: number
  /** Equal in every run of the same seed. */
  readonly digest: number
  readonly tally: Tally
}
