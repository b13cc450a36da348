// Entry point of the interpreter: checks a definition, and executes it on request. Keeps no state between two
// executions.
import type { CheckedDefinition, Oracle } from '../contract/market-data.ts'
import { parseDefinition } from './definition.ts'
import { execute } from './execute.ts'
import { JobRefused } from './job.ts'
import type { World } from './run.ts'

export class JobOracle implements Oracle {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  check(jobDefinition: string): CheckedDefinition {
    try {
      const definition = parseDefinition(jobDefinition)
      const { hash, requests } = definition
      const world = this.#world
      return {
        ok: true,
        hash,
        requests,
        execute: (kind, atOnce = requests) =>
          execute(definition, kind, atOnce < requests ? { ...world, fetch: limited(world.fetch, atOnce) } : world),
      }
    } catch (error) {
      if (error instanceof JobRefused) return { ok: false, reason: error.message }
      throw error
    }
  }
}

/** Requests beyond `atOnce` wait for earlier ones, in order. */
function limited(fetch: World['fetch'], atOnce: number): World['fetch'] {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async (request) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await fetch(request)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
