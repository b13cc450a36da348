// Work that lacks rows runs again once they are fetched, and sees all of them at once.
import { describe, expect, it } from 'vitest'
import {
  atHand,
  atHandNow,
  FRESH_MS,
  MissingRows,
  onEach,
  whenAtHand,
  type RowSource,
} from '../../snapshots/at-hand.ts'
import { NotAtHand, type ColdKey } from '../../snapshots/not-at-hand.ts'

const keyOf = (id: string): ColdKey => ({ read: 'old', id })

/** Has the rows that it fetched last, and no others. */
class Rows implements RowSource {
  readonly asked: string[][] = []
  #known: ReadonlySet<string> = new Set()

  async fetch(keys: readonly ColdKey[]): Promise<void> {
    await new Promise(setImmediate)
    const ids = keys.map((key) => (key as ColdKey & { id: string }).id)
    this.asked.push(ids)
    this.#known = new Set(ids)
  }

  read(id: string): string {
    if (!this.#known.has(id)) throw new NotAtHand([keyOf(id)])
    return id
  }
}

/** A fetch takes 400 ms. */
class TimedRows extends Rows {
  readonly keptTimes: (number | undefined)[] = []
  elapsedMs = 1_000

  override async fetch(keys: readonly ColdKey[], keptMs?: number): Promise<void> {
    this.keptTimes.push(keptMs)
    await super.fetch(keys)
    this.elapsedMs += 400
  }

  elapsed(): number {
    return this.elapsedMs
  }
}

describe('work that lacks rows', () => {
  it('is repeated until it lacks none, with every row read again each time', async () => {
    const rows = new Rows()
    let attempts = 0
    const result = await atHand(rows, () => {
      attempts += 1
      return [rows.read('a'), rows.read('b'), rows.read('c')]
    })
    expect([result, attempts]).toEqual([['a', 'b', 'c'], 4])
    expect(rows.asked).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']])
  })

  it('requests the missing rows of several items together', async () => {
    const rows = new Rows()
    const read = () => onEach(['a', 'b', 'c'], (id) => rows.read(id))
    expect(await atHand(rows, read)).toEqual(['a', 'b', 'c'])
    expect(rows.asked).toEqual([['a', 'b', 'c']])
  })

  it('answers at once if no row is missing, and asynchronously otherwise', async () => {
    const rows = new Rows()
    expect(atHandNow(rows, () => 7)).toBe(7)
    const pendingRead = atHandNow(rows, () => rows.read('a'))
    expect(pendingRead).toBeInstanceOf(Promise)
    expect(await pendingRead).toBe('a')
    expect(atHandNow(rows, () => rows.read('a'))).toBe('a')
  })

  it('passes on an error of the first attempt and of later ones', async () => {
    const rows = new Rows()
    const refusal = new Error('refused')
    const refuse = (): never => {
      throw refusal
    }
    await expect(atHand(rows, refuse)).rejects.toBe(refusal)
    let first: unknown = null
    whenAtHand(rows, refuse, (error) => (first = error))
    expect(first).toBe(refusal)
    const failure = await new Promise((resolve) =>
      whenAtHand(
        rows,
        () => {
          rows.read('a')
          refuse()
        },
        resolve,
      ),
    )
    expect(failure).toBe(refusal)
  })

  it('runs in this turn if no row is missing, and once in a later turn otherwise', async () => {
    const rows = new Rows()
    const order: string[] = []
    const run = (): Promise<void> =>
      new Promise((resolve) =>
        whenAtHand(
          rows,
          () => {
            order.push(rows.read('a'))
            resolve()
          },
          () => undefined,
        ),
      )
    const first = run()
    expect(order).toEqual([])
    await first
    void run()
    expect(order).toEqual(['a', 'a'])
  })

  it('keeps its rows as long as a fetch and an attempt take, by the clock of the source', async () => {
    const rows = new TimedRows()
    await atHand(rows, () => {
      rows.elapsedMs += 20
      return [rows.read('a'), rows.read('b'), rows.read('c')]
    })
    expect(rows.keptTimes).toEqual([FRESH_MS, FRESH_MS + 840, FRESH_MS + 840])
  })

  it('does not keep its rows longer because it waited for something else', async () => {
    const rows = new TimedRows()
    const missing = new MissingRows(rows)
    for (const id of ['a', 'b', 'c']) {
      await missing.fetch(new NotAtHand([keyOf(id)]))
      rows.elapsedMs += 10_000
      missing.resume()
    }
    expect(rows.keptTimes).toEqual([FRESH_MS, FRESH_MS, FRESH_MS])
  })

  it('ends if a row never arrives', async () => {
    const never: RowSource = { fetch: () => Promise.resolve() }
    const work = (): never => {
      throw new NotAtHand([keyOf('a')])
    }
    await expect(atHand(never, work)).rejects.toThrow('rows are missing')
  })
})
