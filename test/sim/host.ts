// What runs the service in a simulated world: one process on a disk of its own, or several nodes on one database.
import type { Engine } from '../../src/engine/engine.ts'
import type { Clock } from '../../src/time/clock.ts'
import type { Process, Surroundings } from './process.ts'
import type { Random } from './random.ts'
import type { Life } from './time.ts'

export interface Host {
  /** Of the process whose code runs now; null: none. */
  readonly clock: Clock | null
  start(): void
  /** The process that a request of a client comes to; null: none serves it now. */
  serving(): Process | null
  /** The process whose records are those of the service; null: there is none now. */
  owner(): Process | null
  /** A durable row. */
  row(key: string): string | undefined
  /** Faults of its own begin. */
  breakThings(): void
  /** They end for good. */
  heal(): void
  /** Called after each event with faults. */
  stepped(): void
  /** Audits of its own, at the end. */
  atRest(): void
}

export interface HostOptions {
  readonly around: Surroundings
  /** The stream of the world. */
  readonly random: Random
  /** A process has read its store. `isCurrent`: whether its commits are the newest of the service. */
  readonly opened: (engine: Engine, isCurrent: () => boolean) => void
  /** A process is gone, and the callers that wait for it learn so. */
  readonly died: (life: Life) => void
}
