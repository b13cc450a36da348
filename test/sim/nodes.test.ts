// Several nodes on one simulated database keep every promise of one process.
import { describe, expect, it } from 'vitest'
import { World } from './world.ts'
import type { Report, WorldOptions } from './world-options.ts'

const NODES = 3
const STEPS = 5_000
const TIMEOUT_MS = 900_000

async function run(seed: string, more: Partial<WorldOptions> = {}): Promise<Report> {
  return await World.run({ seed, steps: STEPS, nodes: NODES, ...more })
}

describe('three nodes on one database', () => {
  it.each(['nodes/1', 'nodes/2'])(
    'of seed %s keep their promises, and come to rest',
    async (seed) => {
      expect((await run(seed)).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'are the same again for the same seed',
    async () => {
      const [one, other] = [await run('again', { steps: 1_000 }), await run('again', { steps: 1_000 })]
      expect({ ...other, tally: null }).toEqual({ ...one, tally: null })
    },
    TIMEOUT_MS,
  )
})
