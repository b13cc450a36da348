// Looks for a planted bug in several simulated worlds, as a run ends at its first violation and most bugs need a rare
// sequence of events.
import type { Planted } from './planted.ts'
import type { Violation } from './tally.ts'
import { World } from './world.ts'

export class Hunt {
  readonly #seeds: readonly string[]
  readonly #steps: number
  /** Violations by bug and seed: kinds that the same bug causes are looked for in the same runs. */
  readonly #seen = new Map<string, Promise<readonly Violation[]>>()

  /** @param steps events of each run */
  constructor(name: string, seeds: number, steps: number) {
    this.#seeds = Array.from({ length: seeds }, (_, number) => `${name}/${number + 1}`)
    this.#steps = steps
  }

  /** The first two seeds, to be run without a bug. */
  get controls(): readonly string[] {
    return this.#seeds.slice(0, 2)
  }

  /** Violations of one run. `bug` names what is planted; '' for nothing. */
  violations(bug: string, seed: string, planted?: Planted): Promise<readonly Violation[]> {
    const run = `${bug} in ${seed}`
    const seen = this.#seen.get(run) ?? this.#run(seed, planted)
    this.#seen.set(run, seen)
    return seen
  }

  /** Kinds of the violations of the first seed that shows one of those looked for; empty when none does. */
  async found(bug: string, kinds: readonly string[], planted?: Planted): Promise<readonly string[]> {
    for (const seed of this.#seeds) {
      const seen = (await this.violations(bug, seed, planted)).map(({ kind }) => kind)
      if (seen.some((kind) => kinds.includes(kind))) return seen
    }
    return []
  }

  async #run(seed: string, planted: Planted | undefined): Promise<readonly Violation[]> {
    const options = { seed, steps: this.#steps, ...(planted === undefined ? {} : { planted }) }
    return (await World.run(options)).tally.violations
  }
}
