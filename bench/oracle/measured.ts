// Executes definitions one after the other. Every value must be the expected one.
import type { Spun } from '../measure/spin.ts'
import { byHand, DEFINITION, expectedValue, SOURCES, sources } from './jobs.ts'
import { parseDefinition } from '../../src/oracle/definition.ts'
import { execute } from '../../src/oracle/execute.ts'
import type { World } from '../../src/oracle/run.ts'

/** Computes the value of the definition. */
export type Interpret = (world: World) => Promise<string | null>

const definition = parseDefinition(DEFINITION)

export const INTERPRETERS: { readonly interpreter: Interpret; readonly hand: Interpret } = {
  interpreter: async (world) => (await execute(definition, 'PRICE', world)).value,
  hand: byHand,
}

export class MeasuredJobs {
  readonly #interpret: Interpret
  readonly #world = sources()
  #executed = 0

  constructor(interpret: Interpret) {
    this.#interpret = interpret
  }

  /** Counts jobs, of which a definition has several. Throws if a value is not the expected one. */
  async round(windowMs: number): Promise<Spun> {
    const executedBefore = this.#executed
    const startedAt = performance.now()
    do {
      const n = this.#executed
      this.#world.turnTo(n)
      const value = await this.#interpret(this.#world)
      if (value !== expectedValue(n))
        throw new Error(`definition ${n} came to ${value ?? 'nothing'}, not to ${expectedValue(n)}`)
      this.#executed += 1
    } while (performance.now() - startedAt < windowMs)
    return { done: (this.#executed - executedBefore) * SOURCES, seconds: (performance.now() - startedAt) / 1000 }
  }
}
