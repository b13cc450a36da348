// Commits through a network that resets connections, delays statements, and drops answers; a database that is killed;
// owners that are replaced while they write. In every case acknowledged commits exist, refused ones do not, and every
// commit was applied once.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Postgres } from '../../bench/postgres/server.ts'
import { StaleEpoch } from '../../snapshots/errors.ts'
import { connect } from '../../snapshots/postgres/connection.ts'
import { LostHistory, NoAnswer, StatementRefused } from '../../snapshots/postgres/errors.ts'
import type { PostgresStore } from '../../snapshots/postgres/postgres-store.ts'
import type { StoreOp } from '../../snapshots/store.ts'
import { all, CLUSTER, record, TENANT } from '../snapshots/units.ts'
import { addressOf, claimedStore, emptySchema, faultyProxy, ownPostgres, sql, type Proxy } from './postgres.ts'

const BOUND_MS = 400
const ACCOUNTS = ['a', 'b', 'c', 'd', 'e']
const START = 1_000

let postgres: Postgres
beforeAll(async () => {
  postgres = await ownPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

function random(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface Totals {
  readonly acknowledged: Set<number>
  readonly refused: Set<number>
  batches: number
  askedAgain: number
  foundApplied: number
}

/** Moves one unit between two accounts with each commit, from memory as an engine does. */
class Owner {
  readonly store: PostgresStore
  readonly #balances: Map<string, number>
  readonly #totals: Totals
  readonly #roll: (sides: number) => number
  #next: number
  ended = false

  private constructor(
    store: PostgresStore,
    found: ReadonlyMap<string, number>,
    next: number,
    totals: Totals,
    roll: (sides: number) => number,
  ) {
    this.store = store
    this.#balances = new Map(ACCOUNTS.map((id) => [id, found.get(id) ?? START]))
    this.#next = next
    this.#totals = totals
    this.#roll = roll
  }

  static async open(proxy: Proxy, totals: Totals, roll: (sides: number) => number): Promise<Owner> {
    const onFatal = (): void => {
      if (owner !== undefined) owner.ended = true
    }
    const store = await claimedStore(proxy.address, { boundMs: BOUND_MS, onFatal, waitMs: 60_000 })
    const balances = new Map(
      (await all(store)).map(({ id, context }) => [id, (context as { balance: number }).balance]),
    )
    const next = (await store.lastSequence('event', TENANT)) + 1
    const owner: Owner | undefined = new Owner(store, balances, next, totals, roll)
    return owner
  }

  async commit(): Promise<void> {
    const n = this.#next++
    const from = ACCOUNTS[this.#roll(ACCOUNTS.length)]!
    const to = ACCOUNTS[this.#roll(ACCOUNTS.length)]!
    this.#balances.set(from, this.#balances.get(from)! - 1)
    this.#balances.set(to, this.#balances.get(to)! + 1)
    const row = (id: string): StoreOp => record(id, { revision: n, context: { balance: this.#balances.get(id) } })
    const outbox = (sequence: number, of: unknown): StoreOp => ({ type: 'outbox', tenant: TENANT, sequence, row: of })
    const ops: StoreOp[] = [
      ...[from, to].map(row),
      { type: 'event', tenant: TENANT, sequence: n, row: { from, to } },
      { type: 'file', tenant: TENANT, cluster: CLUSTER, id: String(n % 7), row: n % 3 === 0 ? null : { n } },
      outbox(n, { n }),
      ...(n > 10 ? [outbox(n - 10, null)] : []),
    ]
    try {
      await this.store.commit([{ tenant: TENANT, epoch: this.store.epoch, ops }])
      this.#totals.acknowledged.add(n)
    } catch (error) {
      if (!(error instanceof StaleEpoch)) throw error
      this.#totals.refused.add(n)
      this.ended = true
    }
  }

  async close(): Promise<void> {
    this.#totals.batches += this.store.stats().batches
    const { askedAgain, foundApplied } = this.store.retries()
    this.#totals.askedAgain += askedAgain
    this.#totals.foundApplied += foundApplied
    await this.store.close()
  }
}

type Fault = (proxy: Proxy) => Promise<void>

const FAULTS: Readonly<Record<string, Fault>> = {
  async reset(proxy) {
    proxy.reset()
    await sleep(5)
    proxy.reset()
  },
  async 'held back and delivered late'(proxy) {
    proxy.delayMs = 2 * BOUND_MS
    await sleep(BOUND_MS * 1.5)
    proxy.delayMs = 0
  },
  async 'answers swallowed'(proxy) {
    proxy.swallow = true
    await sleep(BOUND_MS / 2)
    proxy.reset()
    proxy.swallow = false
  },
  async 'killed and started again'() {
    await postgres.kill()
    await postgres.restart()
  },
}

/** Commits of `owner`, several at a time, until it was replaced or the work is done. */
async function work(owner: Owner, commits: number): Promise<void> {
  for (let commitCount = 0; commitCount < commits && !owner.ended; commitCount += 4) {
    await Promise.all(Array.from({ length: 4 }, () => owner.commit()))
    await sleep(1)
  }
}

async function check(totals: Totals): Promise<void> {
  const address = addressOf(postgres)
  const store = await claimedStore(address)
  const events = await store.events(TENANT, 0, Number.MAX_SAFE_INTEGER)
  const storedNumbers = new Set(events.map(({ sequence }) => sequence))
  expect([...totals.acknowledged].filter((n) => !storedNumbers.has(n))).toEqual([])
  // The number of a refused commit may have been used again by the next owner.
  expect([...totals.refused].filter((n) => storedNumbers.has(n) && !totals.acknowledged.has(n))).toEqual([])
  expect([...storedNumbers].filter((n) => !totals.acknowledged.has(n))).toEqual([])
  const books = new Map(ACCOUNTS.map((id) => [id, START]))
  for (const { row } of events) {
    const { from, to } = row as { from: string; to: string }
    books.set(from, books.get(from)! - 1)
    books.set(to, books.get(to)! + 1)
  }
  for (const { id, context } of await all(store)) expect([id, context]).toEqual([id, { balance: books.get(id) }])
  expect((await store.outbox(TENANT)).length).toBeLessThanOrEqual(10)
  await store.close()
  const [[steps, head] = []] = await sql(address, 'SELECT count(*), max(head) FROM holdfast.step')
  expect([Number(steps), Number(head)]).toEqual([totals.batches + 1, totals.batches])
}

describe('commits under faults', () => {
  it.each([11, 12])('are applied once and never lost (seed %i)', { timeout: 280_000 }, async (seed) => {
    const address = addressOf(postgres)
    await emptySchema(address)
    await using proxy = await faultyProxy(address)
    const roll = random(seed)
    const totals: Totals = {
      ...{ acknowledged: new Set(), refused: new Set(), batches: 0, askedAgain: 0, foundApplied: 0 },
    }
    let owner = await Owner.open(proxy, totals, roll)
    const names = Object.keys(FAULTS)
    for (let round = 0; round < 24; round += 1) {
      const working = work(owner, 60)
      await sleep(roll(30))
      const name = round % 9 === 8 ? 'killed and started again' : names[roll(names.length - 1)]!
      await FAULTS[name]!(proxy)
      if (round % 6 === 5) {
        // While it writes. Its next or pending answer is that it was replaced.
        const next = await Owner.open(proxy, totals, roll)
        await working
        for (let tries = 0; !owner.ended && tries < 20; tries += 1) await owner.commit()
        expect(owner.ended).toBe(true)
        await owner.close()
        owner = next
      } else await working
    }
    await owner.close()
    await check(totals)
    expect(totals.acknowledged.size).toBeGreaterThan(800)
    expect(totals.refused.size).toBeGreaterThan(0)
    expect(totals.askedAgain).toBeGreaterThan(0)
    expect(totals.foundApplied).toBeGreaterThan(0)
  })

  it('a late duplicate of a commit changes nothing, even if its row was deleted meanwhile', async () => {
    const address = addressOf(postgres)
    await emptySchema(address)
    const totals: Totals = {
      ...{ acknowledged: new Set(), refused: new Set(), batches: 0, askedAgain: 0, foundApplied: 0 },
    }
    await using proxy = await faultyProxy(address)
    const owner = await Owner.open(proxy, totals, random(1))
    await work(owner, 8)
    proxy.delayMs = 3_000
    const commit = owner.commit()
    await sleep(BOUND_MS / 2)
    proxy.delayMs = 0
    await commit
    await work(owner, 8)
    await sql(address, 'DELETE FROM holdfast.step WHERE head < (SELECT max(head) FROM holdfast.step)')
    await sleep(3_500)
    await owner.close()
    const store = await claimedStore(address)
    const events = await store.events(TENANT, 0, 99)
    const last = new Map<string, number>()
    for (const { sequence, row } of events) {
      const { from, to } = row as { from: string; to: string }
      for (const id of [from, to]) last.set(id, sequence)
    }
    for (const { id, revision } of await all(store)) expect([id, revision]).toEqual([id, last.get(id)])
    await store.close()
  })
})

const nextStep = "INSERT INTO holdfast.step SELECT 'main', (SELECT max(head) + 1 FROM holdfast.step), gen_random_uuid()"
const RAISE_EPOCH = 'UPDATE holdfast.cell SET epoch = epoch + 1'

describe('a database that has lost commits', () => {
  const event = (sequence: number) => ({ type: 'event', tenant: TENANT, sequence, row: sequence }) as const
  const commit = (store: PostgresStore, sequence: number): Promise<void> =>
    store.commit([{ tenant: TENANT, epoch: store.epoch, ops: [event(sequence)] }])

  it.each([
    ['none', '', false],
    ['none, and has the commits of the next owner', `${RAISE_EPOCH}; ${nextStep}`, false],
    ['none, and has removed old ones', `${RAISE_EPOCH}; ${nextStep}; DELETE FROM holdfast.step WHERE head < 4`, false],
    ['the last one', 'DELETE FROM holdfast.step WHERE head = 3', true],
    ['all', 'DELETE FROM holdfast.step', true],
    ['the claim of the owner', 'UPDATE holdfast.cell SET epoch = epoch - 1', true],
    ['the cell', 'DELETE FROM holdfast.cell', true],
    ['the last one, and has a new owner', `DELETE FROM holdfast.step WHERE head = 3; ${RAISE_EPOCH}`, true],
    [
      'the last one, and has another one of a new owner',
      `DELETE FROM holdfast.step WHERE head = 3; ${RAISE_EPOCH}; ${nextStep}`,
      true,
    ],
  ])('is found without a commit: %s', async (_what, change, isLost) => {
    const address = addressOf(postgres)
    await emptySchema(address)
    const store = await claimedStore(address, { onFatal: () => undefined })
    expect(await store.findLoss()).toBeNull()
    for (const n of [1, 2, 3]) await commit(store, n)
    if (change !== '') await sql(address, change)
    if (isLost) expect(await store.findLoss()).toBeInstanceOf(LostHistory)
    else expect(await store.findLoss()).toBeNull()
    const marks = await sql(address, 'SELECT lost_history IS NOT NULL FROM holdfast.cell')
    expect(marks.every(([mark]) => mark === (isLost ? 't' : 'f'))).toBe(true)
    await store.close()
  })

  it('ends the owner, and is read-only until an operator decides', async () => {
    const address = addressOf(postgres)
    await emptySchema(address)
    const failures: Error[] = []
    const store = await claimedStore(address, { onFatal: (error) => failures.push(error) })
    const commit = (n: number): Promise<void> =>
      store.commit([
        { tenant: TENANT, epoch: store.epoch, ops: [{ type: 'event', tenant: TENANT, sequence: n, row: n }] },
      ])
    for (const n of [1, 2, 3]) await commit(n)
    // As a standby that had not received the last commit.
    await sql(address, 'DELETE FROM holdfast.step WHERE head = 3')
    await expect(commit(4)).rejects.toThrow('a write to the store failed')
    expect(failures[0]?.cause).toBeInstanceOf(LostHistory)
    await store.close()
    await expect(claimedStore(address)).rejects.toThrow(LostHistory)
    await sql(address, 'UPDATE holdfast.cell SET lost_history = NULL')
    await (await claimedStore(address)).close()
  })

  it('is marked again until the database answers, and the error says so if it is not marked', async () => {
    const address = addressOf(postgres)
    for (const [failure, isMarked] of [
      [new NoAnswer('the connection is lost'), true],
      [new StatementRefused('42501', 'permission denied'), false],
    ] as const) {
      await emptySchema(address)
      const failures: Error[] = []
      let marks = 0
      const store = await claimedStore(address, {
        onFatal: (error) => failures.push(error),
        connect: async (...to) => {
          const connection = await connect(...to)
          const query = connection.query.bind(connection)
          connection.query = (statement, ...rest) => {
            const isMark = statement.text.startsWith('UPDATE holdfast.cell SET lost_history')
            if (isMark) marks += 1
            return isMark && marks === 1 ? Promise.reject(failure) : query(statement, ...rest)
          }
          return connection
        },
      })
      const event = { type: 'event', tenant: TENANT, sequence: 1, row: 1 } as const
      await sql(address, 'UPDATE holdfast.step SET head = head + 5')
      await expect(store.commit([{ tenant: TENANT, epoch: store.epoch, ops: [event] }])).rejects.toThrow()
      const cause = failures[0]?.cause as Error
      expect(cause).toBeInstanceOf(LostHistory)
      expect(cause.message.includes('permission denied')).toBe(!isMarked)
      const marked = await sql(address, 'SELECT lost_history IS NOT NULL FROM holdfast.cell')
      expect([marks, marked]).toEqual([isMarked ? 2 : 1, [[isMarked ? 't' : 'f']]])
      await store.close()
    }
  })
})
