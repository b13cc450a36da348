// Several nodes on one simulated database: they keep every promise of one process, and bugs that are planted into the
// protocol between them are found.
import { describe, expect, it } from 'vitest'
import { acknowledgesWithoutWaiting, renewsCommitIds, type PlantedProtocol } from './nodes/planted-protocol.ts'
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

const BUGS: readonly (readonly [string, () => PlantedProtocol, string])[] = [
  ['a commit asked for again under a new id', renewsCommitIds, 'history reported lost'],
  [
    'an acknowledgement without waiting for the database',
    () => acknowledgesWithoutWaiting,
    'acknowledged and not in the history',
  ],
]

describe('a planted bug is found:', () => {
  it.each(BUGS)(
    '%s',
    async (_what, planted, kind) => {
      const found: string[] = []
      for (let seed = 1; seed <= 4 && !found.includes(kind); seed += 1) {
        const { violations } = (await run(`planted/${seed}`, { plantedProtocol: planted(), steps: 20_000 })).tally
        found.push(...violations.map((each) => each.kind))
      }
      expect(found).toContain(kind)
    },
    TIMEOUT_MS,
  )
})
