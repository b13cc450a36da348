// What a simulated world is run with, and what it reports.
import type { NodeFault } from './nodes/fleet.ts'
import type { PlantedProtocol } from './nodes/planted-protocol.ts'
import type { Surroundings } from './process.ts'
import { Tally } from './tally.ts'
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
  /** Events with faults. Creating the tenants before and coming to rest after are not counted. */
  readonly steps: number
  /** Sides that the world has: its events are then all about these. Absent: every side. */
  readonly sides?: readonly SideName[]
  /** What goes wrong, and how often. Absent: by the seed. */
  readonly climate?: ClimateName
  /** Kinds of violation that end the run. Absent: any does. */
  readonly lookedFor?: readonly string[]
  /** On one database; 1 (the default): one process on a disk of its own. */
  readonly nodes?: number
  readonly planted?: Surroundings['planted']
  /** Of several nodes. */
  readonly plantedProtocol?: PlantedProtocol
  /** Faults of several nodes and their database that happen. Absent: all. */
  readonly nodeFaults?: readonly NodeFault[]
  /** Of several nodes: whether they check their own lease. Absent: by the seed. */
  readonly checksOwnLease?: boolean
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
