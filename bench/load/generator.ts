// The load generator for the suites: a separate process, whose CPU is measured like that of the others.
import { join } from 'node:path'
import { startChild } from '../measure/child.ts'
import type { RoundRequest, RoundResult } from './closed-loop.ts'
import type { GeneratorQuestion, OpenRequest } from './generator-process.ts'

export interface Generator extends AsyncDisposable {
  /** Rejects on a wrong answer. */
  round(request: RoundRequest): Promise<RoundResult>
  tally(): Promise<unknown>
}

export async function startGenerator(load: Omit<OpenRequest, 'kind'>): Promise<Generator> {
  const child = startChild<GeneratorQuestion, unknown>(join(import.meta.dirname, 'generator-process.ts'))
  const {
    target: { host, port },
  } = load
  try {
    await child.ask({ kind: 'open', ...load, target: { host, port } })
  } catch (error) {
    await child[Symbol.asyncDispose]()
    throw error
  }
  return {
    round: async (request) => (await child.ask({ kind: 'round', ...request })) as RoundResult,
    tally: () => child.ask({ kind: 'tally' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
