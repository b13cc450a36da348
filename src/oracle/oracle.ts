// The door of the interpreter: checks a definition, and executes it when asked to. It keeps nothing between two executions.
import { parseDefinition } from './definition.ts'
import { execute, type Execution, type Kind } from './execute.ts'
import { JobRefused } from './job.ts'
import type { World } from './run.ts'

export type Checked =
  | { readonly ok: true; readonly hash: string; readonly execute: (kind: Kind) => Promise<Execution> }
  | { readonly ok: false; readonly reason: string }

export class JobOracle {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  check(jobDefinition: string): Checked {
    try {
      const definition = parseDefinition(jobDefinition)
      return { ok: true, hash: definition.hash, execute: (kind) => execute(definition, kind, this.#world) }
    } catch (error) {
      if (error instanceof JobRefused) return { ok: false, reason: error.message }
      throw error
    }
  }
}
