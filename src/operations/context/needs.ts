// What a synchronous decision lacks, and how to get it. It is thrown by whatever needed it, which undoes the unit of
// work; `attempt.ts` gathers it and begins the attempt again.
import type { Platform } from './platform.ts'

export interface Need {
  /** What is missing, for the log of a defect: a need that reaches nobody. */
  readonly what: string
  /** The request, or the facts of the attempt, that gathers it; absent: the innermost attempt. */
  readonly of?: object
  /** Bounded by itself. Rejects with a Refusal if the need cannot be met. */
  readonly gather: (platform: Platform) => Promise<void>
  /** What the next attempt knows of a simulation of its message. */
  readonly simulation: 'done' | 'unchanged' | 'outdated'
}

export class Needs extends Error {
  override readonly name = 'Needs'
  readonly need: Need

  constructor(need: Need) {
    super(`missing: ${need.what}`)
    this.need = need
  }
}
