// The query engine compared with a naive model: changing records and queries of every kind, with the indexes of large
// tables used for small ones. Every run has the same cases.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/engine/records/change.ts'
import type { Query } from '../../../src/engine/query/field.ts'
import { ReadModel } from '../../../src/engine/query/read-model.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { Random } from './random.ts'
import { anyQuery, anyRow, DEFAULT_SORT, KINDS, MADE_UP, recordOf, rowOf } from './made-up.ts'
import { Naive, type NaiveAnswer } from './naive.ts'

const QUERIES_PER_WORLD = 500
const PARTS = ['own', 'shared', 'other', '']
const VISIBLE = ['own', 'shared']
const naive = new Naive(KINDS, DEFAULT_SORT)

class World {
  readonly random: Random
  readonly model: ReadModel
  readonly #entries = new Map<string, { committed: RecordState }>()
  #elapsedMs = 0

  constructor(seed: number) {
    const random = new Random(seed)
    this.random = random
    // Every read of the clock takes time, so that jobs yield often.
    const clock = {
      elapsed: () => (this.#elapsedMs += random.roll(4)),
      soon: (callback: () => void) => void setImmediate(callback),
    }
    const tuning = {
      fewRows: random.of([0, 3, 30]),
      loose: random.of([1, 3, 16]),
      orderFrom: random.of([0, 20, 1_000]),
      trigramsFrom: random.of([0, 1_000]),
    }
    this.model = new ReadModel({ entries: () => this.#entries.values() }, clock, {
      ...tuning,
      maxOrders: 3,
      maxKept: 4,
      idleMs: random.of([50, 5_000]),
    })
    for (let count = random.of([0, 5, 40, 160]); count > 0; count -= 1) this.change()
  }

  /** The records that the naive model sees. */
  answer(query: Query): NaiveAnswer {
    const visible = [...this.#entries.values()]
      .map(({ committed }) => committed)
      .filter(({ tenant }) => VISIBLE.includes(tenant))
    return naive.answer(visible.map(rowOf), query)
  }

  async ask(query: Query): Promise<NaiveAnswer> {
    const { count, items } = await this.model.query(MADE_UP, VISIBLE, query)
    return { count, ids: items.map(({ id }) => id) }
  }

  /**
   * A record comes, or changes in one field, in all, or in where it belongs: then it may go from sight, and come back.
   */
  change(): void {
    const { random } = this
    const knownIds = [...this.#entries.keys()]
    const id = knownIds.length === 0 || random.chance(3) ? random.uuid() : random.of(knownIds)
    const entry = this.#entries.get(id)
    const previous = entry?.committed
    const part = previous === undefined || random.chance(8) ? random.of(PARTS) : previous.tenant
    const row = anyRow(random, id)
    const name = random.of(Object.keys(row))
    const nextRow = previous === undefined || random.chance(4) ? row : { ...rowOf(previous), [name]: row[name]! }
    const next = recordOf(nextRow, part, (previous?.revision ?? 0) + 1)
    if (entry === undefined) this.#entries.set(id, { committed: next })
    else entry.committed = next
    this.model.take([{ entry: {}, previous, next } as unknown as Change])
  }
}

describe('a bulk query', () => {
  it.each(Array.from({ length: 100 }, (_, index) => 20_261_121 + index))(
    'returns the same as a naive implementation of the rules (seed %i)',
    async (seed) => {
      const world = new World(seed)
      for (let count = 0; count < QUERIES_PER_WORLD; count += 1) {
        const query = anyQuery(world.random)
        const answer = await world.ask(query)
        const expected = world.answer(query)
        if (!isDeepStrictEqual(answer, expected)) expect(answer, JSON.stringify(query)).toStrictEqual(expected)
        if (world.random.chance(2)) world.change()
        if (world.random.chance(50)) world.model.sweep()
      }
      expect(world.model.faults).toBe(0)
    },
  )

  it.each(Array.from({ length: 20 }, (_, index) => 40_000 + index))(
    'reads one committed state during concurrent changes (seed %i)',
    async (seed) => {
      const world = new World(seed)
      const queries = Array.from({ length: 8 }, () => anyQuery(world.random))
      const under = new Set<{ query: Query; possible: Set<string> }>()
      const answers = queries.map(async (query) => {
        const pendingQuery = { query, possible: new Set([JSON.stringify(world.answer(query))]) }
        under.add(pendingQuery)
        const answer = JSON.stringify(await world.ask(query).finally(() => under.delete(pendingQuery)))
        expect([...pendingQuery.possible]).toContain(answer)
      })
      const all = Promise.all(answers)
      while (under.size > 0) {
        world.change()
        for (const { query, possible } of under) possible.add(JSON.stringify(world.answer(query)))
        await new Promise((resolve) => setImmediate(resolve))
      }
      await all
      expect(world.model.faults).toBe(0)
    },
  )
})
