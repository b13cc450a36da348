// Searches for a planted bug in several simulated worlds, as most bugs need a rare sequence of events.
import type { Planted } from './planted/planted.ts'
import type { Violation } from './audits/tally.ts'
import { World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

/** A world with the sides and the climate of a bug shows it soonest. */
interface HuntOptions extends Pick<WorldOptions, 'steps' | 'sides' | 'climate'> {
  /** The number of worlds after which a bug counts as not found. */
  readonly seeds: number
}

export class Hunt {
  readonly #seeds: readonly string[]
  readonly #world: Omit<HuntOptions, 'seeds'>

  constructor(name: string, { seeds, ...world }: HuntOptions) {
    this.#seeds = Array.from({ length: seeds }, (_, number) => `${name}/${number + 1}`)
    this.#world = world
  }

  /** The first two seeds, to be run without a bug. */
  get controls(): readonly string[] {
    return this.#seeds.slice(0, 2)
  }

  /** Violations of a run without a bug. */
  async control(seed: string): Promise<readonly Violation[]> {
    return (await World.run({ seed, ...this.#world })).tally.violations
  }

  /**
   * Kinds of the violations of the first seed that shows one of those looked for, up to that one; empty when none does.
   */
  async found(kinds: readonly string[], planted?: Planted): Promise<readonly string[]> {
    const bug = planted === undefined ? {} : { planted }
    for (const seed of this.#seeds) {
      const { tally } = await World.run({ seed, lookedFor: kinds, ...this.#world, ...bug })
      const seenKinds = tally.violations.map(({ kind }) => kind)
      if (seenKinds.some((kind) => kinds.includes(kind))) return seenKinds
    }
    return []
  }
}
