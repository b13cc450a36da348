// When the open cell of a node counts as idle.
import { describe, expect, it } from 'vitest'
import { Idleness, type IdlenessOptions } from '../../src/service/idleness.ts'
import type { FoundWork } from '../../src/operations/background/open-work.ts'

const IDLE_MS = 60_000
const NOW = 1_800_000_000_000

/** A cell that was opened long ago, and has had no requests since. */
function cell(foundWork: FoundWork, changes: Partial<IdlenessOptions> = {}) {
  const at = { elapsedMs: 0, changes: 1, known: null as string | null, looks: 0 }
  const work = {
    get known() {
      return at.known
    },
    get changes() {
      return at.changes
    },
    find: () => {
      at.looks += 1
      return Promise.resolve(foundWork)
    },
  }
  const idleness = new Idleness({
    ...{ work, now: () => NOW, clock: { elapsed: () => at.elapsedMs }, idleMs: IDLE_MS },
    ...{ quietMs: () => 10 * IDLE_MS, hasStreams: () => false },
    failed: (error) => {
      throw error
    },
    ...changes,
  })
  at.elapsedMs = IDLE_MS
  const looked = async (): Promise<boolean> => {
    expect(idleness.isIdle).toBe(false)
    await new Promise((resolve) => setImmediate(resolve))
    return idleness.isIdle
  }
  return { at, idleness, looked }
}

const noWork: FoundWork = { holds: null, dueAt: null }
const dueIn = (ms: number): FoundWork => ({ holds: null, dueAt: NOW + ms })

describe('a cell', () => {
  it('is idle once a scan of its records found no open work', async () => {
    expect(await cell(noWork).looked()).toBe(true)
  })

  it.each<[string, FoundWork, Partial<IdlenessOptions>]>([
    ['while something is under way', { holds: 'a batch', dueAt: null }, {}],
    ['when something is due within the time', dueIn(IDLE_MS), {}],
    ['when something is overdue', dueIn(-1), {}],
    ['after a request', noWork, { quietMs: () => IDLE_MS - 1 }],
    ['with an event stream', noWork, { hasStreams: () => true }],
  ])('is not %s', async (_when, found, changes) => {
    expect(await cell(found, changes).looked()).toBe(false)
  })

  it('is idle although work is due later', async () => {
    expect(await cell(dueIn(IDLE_MS + 1)).looked()).toBe(true)
  })

  it('is not idle right after it was opened', async () => {
    const { at, looked } = cell(noWork)
    at.elapsedMs = IDLE_MS - 1
    expect(await looked()).toBe(false)
  })

  it('is scanned again after a commit, and not while open work is known', async () => {
    const { at, idleness, looked } = cell(noWork)
    expect(await looked()).toBe(true)
    at.known = 'a batch'
    expect(idleness.isIdle).toBe(false)
    expect(at.looks).toBe(1)
    at.known = null
    at.changes += 1
    expect(await looked()).toBe(true)
    expect(at.looks).toBe(2)
  })

  it('stays idle until work is due, if nothing began while it was closed', async () => {
    expect(await cell(dueIn(70_000)).idleness.rest()).toEqual({ dueInMs: 70_000 })
    expect(await cell(noWork).idleness.rest()).toEqual({ dueInMs: null })
    expect(await cell({ holds: 'a batch', dueAt: null }).idleness.rest()).toBeNull()
  })
})
