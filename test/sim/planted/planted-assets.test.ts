// Bugs of asset management: each must be found by the auditors of a simulated world.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Hunt } from '../hunt.ts'
import { forgetsItemsUnderWay, forgetsLatestOccurrence } from './planted-assets.ts'

type Bug = 'none' | 'no policy covers' | 'every destination passes' | 'no supply is limited'

const planted = vi.hoisted(() => ({ bug: 'none' }))
const has = (bug: Bug): boolean => planted.bug === bug

vi.mock('../../../src/operations/authorization/policies/covering.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/authorization/policies/covering.ts')>()
  return {
    ...real,
    policiesFor: (...given: Parameters<typeof real.policiesFor>) =>
      has('no policy covers') ? [] : real.policiesFor(...given),
    policiesOfMessage: (...given: Parameters<typeof real.policiesOfMessage>) =>
      has('no policy covers') ? [] : real.policiesOfMessage(...given),
  }
})

vi.mock('../../../src/operations/authorization/destinations/policy.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/authorization/destinations/policy.ts')>()
  return {
    ...real,
    decideDestinations: (...given: Parameters<typeof real.decideDestinations>) =>
      has('every destination passes') ? { reviews: [], destinations: [] } : real.decideDestinations(...given),
  }
})

vi.mock('../../../src/operations/authorization/supply-cap.ts', async (original) => {
  const real = await original<typeof import('../../../src/operations/authorization/supply-cap.ts')>()
  return {
    ...real,
    checkSupplyCaps: (...given: Parameters<typeof real.checkSupplyCaps>) =>
      has('no supply is limited') ? undefined : real.checkSupplyCaps(...given),
    exceedsSupplyCap: (...given: Parameters<typeof real.exceedsSupplyCap>) =>
      has('no supply is limited') ? false : real.exceedsSupplyCap(...given),
  }
})

const hunt = new Hunt('assets', { seeds: 12, steps: 8_000, sides: ['assets', 'statements'] })
const restarts = new Hunt('asset restarts', { seeds: 12, steps: 8_000, sides: ['assets'], climate: 'crashes' })
const TIMEOUT_MS = 1_800_000

afterEach(() => {
  planted.bug = 'none'
})

describe('a planted bug of asset management is found:', () => {
  it.each([
    ['an item paid again after a crash', 'item of a batch happened twice', forgetsItemsUnderWay],
    ['an occurrence made again after a crash', 'occurrence of a schedule happened twice', forgetsLatestOccurrence],
  ] as const)(
    '%s',
    async (_what, kind, bug) => {
      expect(await restarts.found([kind], bug)).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each([
    ['a policy that is skipped by a mint', 'minted without its approvals', 'no policy covers'],
    ['a policy that is skipped by a counterparty', 'changed without its approvals', 'no policy covers'],
    ['a blocked destination that is paid', 'paid a blocked destination', 'every destination passes'],
    ['an allow list that lets through', 'paid a destination that is not allowed', 'every destination passes'],
    ['a review that nobody makes', 'paid a destination under review without an approval', 'every destination passes'],
    ['a supply that grows above its limit', 'supply above its limit', 'no supply is limited'],
  ] as const)(
    '%s',
    async (_what, kind, bug) => {
      planted.bug = bug
      expect(await hunt.found([kind])).toContain(kind)
    },
    TIMEOUT_MS,
  )

  it.each(hunt.controls)(
    'control: without a bug, seed %s keeps every invariant',
    async (seed) => {
      expect(await hunt.control(seed)).toEqual([])
    },
    TIMEOUT_MS,
  )
})
