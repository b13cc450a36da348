// How units of work share a batch, on a real LevelDB whose batch call is observed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiskOp, WriteBatch } from '../../snapshots/disk.ts'
import { OutcomeUnknown } from '../../snapshots/errors.ts'
import { GroupCommit } from '../../snapshots/group-commit.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { scratch } from './scratch.ts'
import { all, envelope, numbered, part, record, wholeCommits } from './units.ts'

const fatal = (error: Error): never => {
  throw error
}

function watchWrites(): {
  writes: { ops: readonly DiskOp[]; sync: boolean }[]
  aroundWrite: (write: WriteBatch) => WriteBatch
} {
  const writes: { ops: readonly DiskOp[]; sync: boolean }[] = []
  return {
    writes,
    aroundWrite: (write) => (ops, options) => {
      writes.push({ ops, sync: options.sync })
      return write(ops, options)
    },
  }
}

describe('group commit', () => {
  it('writes 200 commits of one tick in one batch, and syncs every batch', async () => {
    const { writes, aroundWrite } = watchWrites()
    const store = await openStore({ path: scratch(), onFatal: fatal, aroundWrite })
    const before = writes.length
    const answeredNumbers: number[] = []
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => store.commit(numbered(n)).then(() => answeredNumbers.push(n))),
    )
    expect(writes).toHaveLength(before + 1)
    expect(answeredNumbers).toEqual(Array.from({ length: 200 }, (_, n) => n))
    // Seven rows each, one of which has the same key in all; and the fences of the two tenants, once.
    expect(store.stats()).toMatchObject({
      commits: 200,
      batches: 1,
      rows: 200 * 6 + 1 + 2,
      waiting: 0,
    })
    for (let n = 200; n < 220; n += 1) await store.commit(numbered(n))
    expect(writes).toHaveLength(before + 21)
    expect(writes.every((write) => write.sync)).toBe(true)
    expect((await wholeCommits(store)).size).toBe(220)
    expect(store.stats().fsyncMs.counts.reduce((sum, count) => sum + count)).toBe(21)
    await store.close()
    expect(writes).toHaveLength(before + 21)
  })

  it('collects everything submitted during a write into the next batch', async () => {
    const { writes, aroundWrite } = watchWrites()
    let during: Promise<void>[] = []
    const store = await openStore({
      path: scratch(),
      onFatal: fatal,
      aroundWrite: (write) =>
        aroundWrite(async (ops, options) => {
          if (ops.length > 1 && during.length === 0)
            during = Array.from({ length: 50 }, (_, n) => store.commit(numbered(n + 1)))
          await write(ops, options)
        }),
    })
    const before = writes.length
    await store.commit(numbered(0))
    await Promise.all(during)
    expect(writes).toHaveLength(before + 2)
    await store.close()
  })

  it('serializes only the last version of a hot record', async () => {
    const store = await openStore({ path: scratch(), onFatal: fatal })
    const serialised: number[] = []
    const contextOf = (n: number): unknown => ({ toJSON: () => (serialised.push(n), { n }) })
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        store.commit([part([record('hot', { revision: n, context: contextOf(n) })])]),
      ),
    )
    expect(serialised).toEqual([199])
    expect(await all(store)).toEqual([envelope('hot', { revision: 199, context: { n: 199 } })])
    await store.close()
  })

  it('splits a queue too long for one batch between units, never within one', async () => {
    const { writes, aroundWrite } = watchWrites()
    const store = await openStore({ path: scratch(), onFatal: fatal, aroundWrite })
    const before = writes.length
    const rows = (unit: number): ReturnType<typeof record>[] =>
      Array.from({ length: 3_000 }, (_, n) => record(`${unit}-${n}`))
    await Promise.all([0, 1, 2, 3].map((unit) => store.commit([part(rows(unit))])))
    expect(writes.slice(before).map((write) => write.ops.length)).toEqual([9_001, 3_000])
    await store.commit([part(Array.from({ length: 20_000 }, (_, n) => record(`big-${n}`)))])
    expect(writes.at(-1)?.ops).toHaveLength(20_000)
    await store.close()
  })
})

describe('a batch that fails', () => {
  it('is the last one written, and is reported once', async () => {
    const path = scratch()
    const failures: Error[] = []
    const acknowledged = new Set<number>()
    let writes = 0
    let hasFailed = false
    const store = await openStore({
      path,
      onFatal: (error) => failures.push(error),
      aroundWrite: (write) => async (ops, options) => {
        expect(options.sync).toBe(true)
        expect(hasFailed, 'written after a failure').toBe(false)
        writes += 1
        if (writes === 6) {
          hasFailed = true
          throw new Error('input/output error')
        }
        await write(ops, options)
      },
    })
    const caller = async (first: number): Promise<unknown> => {
      for (let n = first; ; n += 8) {
        try {
          await store.commit(numbered(n))
        } catch (error) {
          return error
        }
        acknowledged.add(n)
      }
    }
    const ends = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(caller))
    expect(ends.every((end) => end instanceof OutcomeUnknown && end.cause instanceof Error)).toBe(true)
    await expect(store.commit(numbered(1_000))).rejects.toThrow(OutcomeUnknown)
    expect(failures).toHaveLength(1)
    await store.close()
    const reopened = await openStore({ path, onFatal: fatal })
    expect(await wholeCommits(reopened)).toEqual(acknowledged)
    expect(acknowledged.size).toBe(4 * 8)
    await reopened.close()
  })
})

describe('an answer', () => {
  type Step = 'add' | 'turn' | 'written' | 'failed'

  /** Runs every step of the loop and of the disk when the test requests it. */
  class Stepped {
    readonly group: GroupCommit
    /** Units on disk, answered ones and refused ones, in order. */
    readonly written: string[] = []
    readonly answered: string[] = []
    readonly refused: string[] = []
    writes = 0
    #turn: () => void = () => undefined
    #end: (error?: Error) => void = () => undefined
    #added = 0

    constructor() {
      const turn = () =>
        new Promise<void>((resolve) => {
          this.#turn = resolve
        })
      this.group = new GroupCommit(
        (ops) => this.#write(ops),
        () => undefined,
        turn,
      )
    }

    async take(step: Step): Promise<void> {
      if (step === 'add') this.#add(`unit ${(this.#added += 1)}`)
      else if (step === 'turn') this.#turn()
      else this.#end(step === 'failed' ? new Error('input/output error') : undefined)
      // All consequences without a further step.
      for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
    }

    #add(key: string): void {
      this.group.add([{ key, text: () => '1' }]).then(
        () => this.answered.push(key),
        () => this.refused.push(key),
      )
    }

    #write(ops: readonly DiskOp[]): Promise<void> {
      this.writes += 1
      return new Promise((resolve, reject) => {
        this.#end = (error) => {
          this.#end = () => undefined
          if (error !== undefined) {
            reject(error)
            return
          }
          this.written.push(...ops.map(({ key }) => key))
          resolve()
        }
      })
    }
  }

  it('arrives for half of a steady load at a time, whatever came first', async () => {
    const stepped = new Stepped()
    const sizes: number[] = []
    const add = async (units: number): Promise<void> => {
      for (let unit = 0; unit < units; unit += 1) await stepped.take('add')
    }
    await add(7)
    await stepped.take('turn')
    await add(57)
    for (let batch = 0; batch < 8; batch += 1) {
      const before = stepped.answered.length
      await stepped.take('written')
      sizes.push(stepped.answered.length - before)
      await stepped.take('turn')
      // Answered callers commit again during the next write.
      await add(sizes.at(-1)!)
    }
    expect(sizes).toEqual([7, 57, 7, 32, 32, 32, 32, 32])
  })

  it('follows its batch on disk, during any other write; after a failed write none arrives', async () => {
    const steps = fc.array(fc.constantFrom<Step>('add', 'add', 'turn', 'turn', 'written', 'written', 'failed'), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (actions) => {
        const stepped = new Stepped()
        let writesAtFailure: number | null = null
        for (const step of actions) {
          await stepped.take(step)
          expect(stepped.answered).toEqual(stepped.written)
          if (stepped.group.failure !== undefined) writesAtFailure ??= stepped.writes
          if (writesAtFailure !== null) expect(stepped.writes).toBe(writesAtFailure)
        }
        const all = [...stepped.answered, ...stepped.refused]
        if (stepped.group.failure !== undefined)
          expect(new Set(all).size).toBe(actions.filter((step) => step === 'add').length)
      }),
      { numRuns: 300 },
    )
  })
})
