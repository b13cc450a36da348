// For any history of transactions and accounts, the balance at an instant is the sum of the stored movements before it,
// movements of dropped forks leave no trace, and final movements stay.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BookedMovement } from '../../../src/engine/movements/history.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { settleTransaction } from '../../../src/engine/settlement/settlement.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { systemClock } from '../../../src/time/clock.ts'
import { AT } from '../../machines/records.ts'
import { CLUSTER, EngineFixture, newAccount, newTransaction, sign, TENANT } from '../engine-fixture.ts'

const START_MS = 1_750_000_000_000
const OPENING = 1_000n
const FEE = 5n
const AMOUNTS = { t1: 100n, t2: 30n, t3: 7n } as const
type Id = keyof typeof AMOUNTS
const IDS = Object.keys(AMOUNTS) as Id[]
const HOLDERS = ['payer', 'payee'] as const
type Holder = (typeof HOLDERS)[number]

const movement = (released: bigint, debited: bigint, credited: bigint) =>
  ({ asset: 'lamports', released: String(released), debited: String(debited), credited: String(credited) }) as const

function payment(amount: bigint): BookEntry[] {
  const own = { tenant: TENANT, facts: [] }
  return [
    {
      ...own,
      record: 'payer',
      movements: [movement(amount + FEE, amount + FEE, 0n)],
      charge: [movement(amount + FEE, FEE, 0n)],
    },
    { ...own, record: 'payee', movements: [movement(0n, 0n, amount)], charge: [] },
  ]
}

interface Kept {
  readonly holder: Holder
  readonly stamp: number
  readonly delta: bigint
  readonly id: Id | null
}

type Step =
  | { readonly type: 'tick'; readonly ms: number }
  | {
      readonly type: 'seen'
      readonly id: Id
      readonly commitment: 'confirmed' | 'finalized'
      readonly error: string | null
    }
  | { readonly type: 'forgotten'; readonly id: Id }
  | { readonly type: 'deposit'; readonly holder: Holder; readonly delta: bigint }
  | { readonly type: 'restart' }

const id = fc.constantFrom(...IDS)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('tick' as const), ms: fc.constantFrom(1, 1, 2, 1_000, -1, -500) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('seen' as const),
      id,
      commitment: fc.constantFrom('confirmed' as const, 'finalized' as const),
      error: fc.constantFrom(null, null, null, 'failed'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('forgotten' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('deposit' as const),
      holder: fc.constantFrom(...HOLDERS),
      delta: fc.bigInt({ min: -40n, max: 40n }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'restart' as const }) },
)

/** The engine beside a naive model of the stored movements. */
class World {
  readonly fixture: EngineFixture
  nowMs: number
  kept: Kept[] = []
  last = 0
  slot = 10

  private constructor(fixture: EngineFixture, clock: { nowMs: number }) {
    this.fixture = fixture
    this.nowMs = clock.nowMs
    Object.defineProperty(this, 'nowMs', { get: () => clock.nowMs, set: (ms: number) => (clock.nowMs = ms) })
  }

  static async open(): Promise<World> {
    const clock = { nowMs: START_MS }
    const fixture = await EngineFixture.open(2, { clock: { ...systemClock, now: () => clock.nowMs } })
    const world = new World(fixture, clock)
    await fixture.commit((unit) => {
      const payer = newAccount(unit, 'payer', String(OPENING))
      newAccount(unit, 'payee', '0')
      world.note('payer', OPENING, null)
      for (const each of IDS) {
        unit.send<'account'>(payer, {
          type: 'command.reserve',
          asset: 'lamports',
          amount: String(AMOUNTS[each] + FEE),
          covered: true,
        })
        sign(unit, newTransaction(unit, each, payment(AMOUNTS[each])))
      }
    })
    return world
  }

  note(holder: Holder, delta: bigint, transaction: Id | null): void {
    if (delta === 0n) return
    this.last = Math.max(this.nowMs * 1_000, this.last + 1)
    this.kept.push({ holder, stamp: this.last, delta, id: transaction })
  }

  async take(one: Step): Promise<void> {
    switch (one.type) {
      case 'tick':
        this.nowMs += one.ms
        return
      case 'restart':
        return this.fixture.restart(2)
      case 'deposit': {
        const { head } = this.fixture.entry(one.holder)
        const tokens = BigInt((head.context as { lamports: { balance: string } }).lamports.balance) + one.delta
        await this.fixture.commit((unit) =>
          unit.send<'account'>(this.fixture.entry(one.holder), { type: 'chain.observed', lamports: String(tokens) }),
        )
        this.note(one.holder, one.delta, null)
        return
      }
      case 'forgotten':
        return this.deliver(one.id, { type: 'chain.forgotten', at: AT })
      case 'seen': {
        this.slot += 1
        const { commitment, error } = one
        return this.deliver(one.id, {
          type: 'chain.seen',
          commitment,
          slot: this.slot,
          blockTime: null,
          error,
          computeUnits: null,
          at: AT,
        })
      }
    }
  }

  async deliver(transaction: Id, event: TransactionEvent): Promise<void> {
    const landed = (): boolean => {
      const { value, context } = this.fixture.transaction(transaction)
      return (value === 'confirmed' || value === 'finalized') && context.error === null
    }
    const before = landed()
    const wasFailed = this.fixture.transaction(transaction).value === 'blockchainError'
    await settleTransaction(this.fixture.engine, this.fixture.entry(transaction), event, AT).durable
    const amount = AMOUNTS[transaction]
    if (before && !landed()) {
      this.kept = this.kept.filter((each) => each.id !== transaction)
      // The reversal takes two stamps.
      for (const holder of HOLDERS) this.note(holder, 1n, null)
      this.kept.splice(-2, 2)
    }
    if (!before && landed()) {
      this.note('payer', -amount - FEE, transaction)
      this.note('payee', amount, transaction)
    }
    if (!wasFailed && this.fixture.transaction(transaction).value === 'blockchainError')
      this.note('payer', -FEE, transaction)
  }

  expected(holder: Holder, atMs: number): bigint {
    return this.kept
      .filter((each) => each.holder === holder && each.stamp < atMs * 1_000)
      .reduce((sum, { delta }) => sum + delta, 0n)
  }

  balanceAt(holder: Holder, atMs: number): Promise<bigint | null> {
    return this.fixture.engine.movements.balanceAt(this.fixture.entry(holder).head, 'lamports', atMs)
  }

  /** Of all holders, in their order. */
  balancesAt(atMs: number): Promise<(bigint | null)[]> {
    const records = HOLDERS.map((holder) => this.fixture.entry(holder).head)
    return this.fixture.engine.movements.balancesAt(records, 'lamports', atMs)
  }

  async between(holder: Holder, fromMs: number, toMs: number): Promise<BookedMovement[]> {
    const movements: BookedMovement[] = []
    for await (const page of this.fixture.engine.movements.between(
      this.fixture.entry(holder).head,
      'lamports',
      fromMs,
      toMs,
    ))
      movements.push(...page)
    return movements
  }

  /** Instants at which an answer may differ, and one between. */
  instants(): number[] {
    const movementTimes = this.kept.flatMap(({ stamp }) => [Math.trunc(stamp / 1_000), Math.trunc(stamp / 1_000) + 1])
    return [...new Set([START_MS - 1, ...movementTimes, this.nowMs, this.nowMs + 5_000])].sort((a, b) => a - b)
  }
}

/** A store of an earlier release: records without movements and without the time of the first start with movements. */
async function openUpgraded(): Promise<EngineFixture> {
  const world = await World.open()
  await world.take({ type: 'deposit', holder: 'payee', delta: 20n })
  const old = await EngineFixture.open(2, { clock: { ...systemClock, now: () => START_MS } })
  const rows = []
  for await (const page of world.fixture.store.load(TENANT)) rows.push(...page)
  const accounts = rows.filter(({ kind }) => kind === 'account')
  const ops = accounts.map((envelope) => ({ type: 'record' as const, envelope }))
  await old.store.commit([{ tenant: TENANT, epoch: 1, ops }])
  await old.restart()
  return old
}

describe('the movements of a balance', () => {
  it('add up to the balance at any instant, through forks, restarts and a clock that is set back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const world = await World.open()
        const final = new Map<string, bigint | null>()
        for (const one of steps) {
          await world.take(one)
          const until = world.fixture.engine.movements.finalUntilMs(CLUSTER)
          for (const holder of HOLDERS) {
            for (const atMs of world.instants()) {
              const balance = await world.balanceAt(holder, atMs)
              expect(balance).toBe(world.expected(holder, atMs))
              const finalBalance = final.get(`${holder} ${atMs}`)
              if (finalBalance !== undefined) expect(balance).toBe(finalBalance)
              if (atMs <= until) final.set(`${holder} ${atMs}`, balance)
            }
          }
        }
        for (const atMs of world.instants()) {
          const together = await world.balancesAt(atMs)
          expect(together).toEqual(HOLDERS.map((holder) => world.expected(holder, atMs)))
        }
        for (const holder of HOLDERS) {
          const instants = world.instants()
          for (const from of instants) {
            const to = instants.at(-1 - (from % 3)) ?? from
            const rows = await world.between(holder, from, to)
            let balance = await world.balanceAt(holder, from)
            for (const { delta, after } of rows) {
              balance = (balance ?? 0n) + delta
              expect(after).toBe(balance)
            }
            if (from <= to) expect(balance).toBe(await world.balanceAt(holder, to))
            const expectedMovements = world.kept.filter(
              (each) => each.holder === holder && each.stamp >= from * 1_000 && each.stamp < to * 1_000,
            )
            expect(rows.map(({ delta, transactionId }) => [delta, transactionId])).toEqual(
              expectedMovements.map((each) => [each.delta, each.id]),
            )
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('are unbounded in number when the balances of many records are read together', async () => {
    const world = await World.open()
    for (let count = 0; count < 150; count += 1) {
      world.nowMs += 1
      await world.take({ type: 'deposit', holder: 'payee', delta: 3n })
    }
    await world.take({ type: 'restart' })
    for (const atMs of world.instants())
      expect(await world.balancesAt(atMs)).toEqual(HOLDERS.map((holder) => world.expected(holder, atMs)))
  })

  it('become final with their transaction, not before', async () => {
    const world = await World.open()
    world.nowMs += 10
    await world.take({ type: 'seen', id: 't1', commitment: 'confirmed', error: null })
    const confirmedMs = world.nowMs
    world.nowMs += 60_000
    const { movements } = world.fixture.engine
    expect(movements.finalUntilMs(CLUSTER)).toBe(confirmedMs)
    movements.learnFinal(CLUSTER, 1_000)
    expect(movements.finalUntilMs(CLUSTER)).toBe(confirmedMs)
    await world.fixture.restart()
    expect(world.fixture.engine.movements.finalUntilMs(CLUSTER)).toBeLessThanOrEqual(confirmedMs)
    await world.take({ type: 'seen', id: 't1', commitment: 'finalized', error: null })
    expect(world.fixture.engine.movements.finalUntilMs(CLUSTER)).toBe(world.nowMs)
  })

  it('observed on chain become final with a slot at least as late as the read', async () => {
    const world = await World.open()
    world.nowMs += 10
    const readMs = world.nowMs
    const cause = { kind: 'observed', transactionId: null, slot: 50 } as const
    await world.fixture.commit((unit) =>
      unit.send<'account'>(world.fixture.entry('payee'), { type: 'chain.observed', lamports: '9' }, cause),
    )
    world.nowMs += 60_000
    for (const engine of [world.fixture.engine, (await world.fixture.restart(), world.fixture.engine)]) {
      engine.movements.learnFinal(CLUSTER, 49)
      expect(engine.movements.finalUntilMs(CLUSTER)).toBe(readMs)
    }
    world.fixture.engine.movements.learnFinal(CLUSTER, 50)
    expect(world.fixture.engine.movements.finalUntilMs(CLUSTER)).toBe(world.nowMs)
  })

  it('of a store of an earlier release are known since the first start', async () => {
    const old = await openUpgraded()
    const { movements } = old.engine
    const head = old.entry('payee').head
    expect(movements.knownSinceMs).toBe(START_MS)
    expect(await movements.balanceAt(head, 'lamports', START_MS - 1)).toBeNull()
    expect(await movements.balanceAt(head, 'lamports', START_MS)).toBe(20n)
    await old.commit((unit) => unit.send<'account'>(old.entry('payee'), { type: 'chain.observed', lamports: '25' }))
    await old.restart()
    expect(old.engine.movements.knownSinceMs).toBe(START_MS)
    expect(await old.engine.movements.balanceAt(old.entry('payee').head, 'lamports', START_MS)).toBe(20n)
    expect(await old.engine.movements.balanceAt(old.entry('payee').head, 'lamports', START_MS + 1)).toBe(25n)
  })

  it('of such a store are dated by the clock of the service at its start', async () => {
    const old = await openUpgraded()
    const serviceMs = START_MS - 30_000
    old.engine.movements.log.datedBy({ now: () => serviceMs })
    const { movements } = old.engine
    expect(movements.knownSinceMs).toBe(serviceMs)
    await old.commit((unit) => unit.send<'account'>(old.entry('payee'), { type: 'chain.observed', lamports: '25' }))
    const { head } = old.entry('payee')
    expect(await movements.balanceAt(head, 'lamports', serviceMs)).toBe(20n)
    expect(await movements.balanceAt(head, 'lamports', serviceMs + 1)).toBe(25n)
    const deltas: bigint[] = []
    for await (const page of movements.between(head, 'lamports', serviceMs, START_MS))
      deltas.push(...page.map(({ delta }) => delta))
    expect(deltas).toEqual([5n])
  })
})
