// Data that a synchronous decision lacks, and how to read it. The decision throws `Needs`, which discards the unit of
// work; `attempt.ts` reads the data and repeats the attempt.
import type { Platform } from './platform.ts'

export interface Need {
  /** Description of the missing data, for the error log if no attempt catches the need, which is a defect. */
  readonly what: string
  /** The request, or the facts of the attempt, that must gather the data; absent: the innermost attempt. */
  readonly of?: object
  /** Must limit its own time. Rejects with a Refusal if the data cannot be read. */
  readonly gather: (platform: Platform) => Promise<void>
  /** State of the simulation of the message in the next attempt. */
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
