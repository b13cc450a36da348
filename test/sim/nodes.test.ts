// Several nodes on one simulated database: they keep every promise of one process, and bugs that are planted into the
// protocol between them are found.
import { describe, expect, it } from 'vitest'
import {
  acknowledgesWithoutWaiting,
  claimsWithoutEpoch,
  commitsWithoutFence,
  readsHeadBeforeClaim,
  renewsCommitIds,
} from './nodes/planted-protocol.ts'
import { recoverySignsAnew } from './planted/planted.ts'
import { World } from './world.ts'
import type { Report, WorldOptions } from './world-options.ts'

const NODES = 3
const STEPS = 5_000
const TIMEOUT_MS = 900_000

const HUNTED = { steps: 3_000, sides: ['payments'] } as const
const SEEDS = Array.from({ length: 8 }, (_, number) => `planted/${number + 1}`)

async function run(seed: string, more: Partial<WorldOptions> = {}): Promise<Report> {
  return await World.run({ seed, steps: STEPS, nodes: NODES, ...more })
}

describe('three nodes on one database', () => {
  it.each(['nodes/1', 'nodes/2'])(
    'of seed %s keep every invariant, and become idle',
    async (seed) => {
      expect((await run(seed)).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'end a batch whose transaction is refused before planning, like in a handed-over cell',
    async () => {
      expect((await run('1/4', { steps: 20_000 })).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )

  it(
    'are deterministic for a seed',
    async () => {
      const [one, other] = [await run('again', { steps: 1_000 }), await run('again', { steps: 1_000 })]
      expect({ ...other, tally: null }).toEqual({ ...one, tally: null })
    },
    TIMEOUT_MS,
  )
})

describe('nodes that do not check their own lease', () => {
  it(
    'are stopped by the fence alone, and keep every invariant',
    async () => {
      let refused = 0
      for (const seed of SEEDS.slice(0, 3)) {
        const { tally } = await run(seed, {
          ...HUNTED,
          checksOwnLease: false,
          nodeFaults: ['strandedCommit', 'pauseLong'],
        })
        expect(tally.violations).toEqual([])
        refused += tally.faults.get('commit refused by the fence') ?? 0
      }
      expect(refused).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )
})

type Bug = Pick<WorldOptions, 'planted' | 'plantedProtocol' | 'nodeFaults'>

/** Each with the faults that it needs to do harm; without any, the faults of the database suffice. */
const BUGS: readonly (readonly [what: string, bug: () => Bug, found: string])[] = [
  [
    'a commit asked for again under a new id',
    () => ({ plantedProtocol: renewsCommitIds(), nodeFaults: ['pauseShort'] }),
    'history reported lost',
  ],
  [
    'an acknowledgement without waiting for the database',
    () => ({ plantedProtocol: acknowledgesWithoutWaiting, nodeFaults: ['killOwner'] }),
    'acknowledged and not in the history',
  ],
  [
    'a commit that is applied whatever the epoch',
    () => ({ plantedProtocol: commitsWithoutFence, nodeFaults: ['strandedCommit'] }),
    'commit of an earlier owner applied',
  ],
  [
    'a payment signed anew by the node that takes over',
    () => ({ planted: recoverySignsAnew, nodeFaults: ['killAfterSigning'] }),
    'landed twice',
  ],
  [
    'a takeover that leaves the epoch as it is',
    () => ({ plantedProtocol: claimsWithoutEpoch, nodeFaults: ['strandedCommit'] }),
    'history reported lost',
  ],
  [
    'a head that is read before the claim',
    () => ({ plantedProtocol: readsHeadBeforeClaim(), nodeFaults: ['heldCommit'] }),
    'history reported lost',
  ],
]

describe('a planted bug is found:', () => {
  it.each(BUGS)(
    '%s',
    async (_what, bug, kind) => {
      const found: string[] = []
      for (const seed of SEEDS) {
        const { violations } = (await run(seed, { ...HUNTED, ...bug(), lookedFor: [kind] })).tally
        found.push(...violations.map((each) => each.kind))
        if (found.includes(kind)) break
      }
      expect(found).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each(['strandedCommit', 'heldCommit', 'killAfterSigning'] as const)(
    'control: without a bug, a world with the fault %s keeps every invariant',
    async (fault) => {
      for (const seed of SEEDS.slice(0, 4))
        expect((await run(seed, { ...HUNTED, nodeFaults: [fault] })).tally.violations).toEqual([])
    },
    TIMEOUT_MS,
  )
})
